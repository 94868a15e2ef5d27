#include "core/intake/http_listener.h"

#include <algorithm>

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace redrive {

namespace {

constexpr std::size_t kScratch = 65536;
constexpr int kTickMs = 250;
constexpr int kCloseMs = 1000; // for the last answers to leave

bool prepare(int socket)
{
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    const int flags = ::fcntl(socket, F_GETFL);
    return flags >= 0 && ::fcntl(socket, F_SETFL, flags | O_NONBLOCK) == 0;
}

} // namespace

HttpListener::HttpListener(HttpService& service, std::function<void()> finished)
    : m_service(service), m_finished(std::move(finished)),
      m_pollNotifier(m_poll.descriptor(), QSocketNotifier::Read), m_scratch(kScratch)
{
    connect(&m_pollNotifier, &QSocketNotifier::activated, this, &HttpListener::onSockets);
    connect(&m_timer, &QTimer::timeout, this, &HttpListener::onTick);
    m_timer.setInterval(kTickMs);
    if (!service.clock.movesByItself())
        m_waker = service.clock.addWaker(
            [this] { QMetaObject::invokeMethod(this, &HttpListener::onTick, Qt::QueuedConnection); });
    service.completions->setReceiver(this);
}

HttpListener::~HttpListener()
{
    m_service.completions->setReceiver(nullptr);
    if (!m_service.clock.movesByItself())
        m_service.clock.removeWaker(m_waker);
    m_connections.clear();
    m_service.counters.openConnections = 0;
}

Result<quint16> HttpListener::listenOn(const QHostAddress& address, quint16 port)
{
    if (!m_poll.isOpen())
        return fail(ErrorKind::Internal, u"The HTTP front cannot be started"_s, u"epoll_create failed"_s);
    auto acceptor = std::make_unique<Acceptor>([this](int socket) { accept(socket, nullptr); });
    REDRIVE_TRY(acceptor->listenOn(address, port));
    connect(acceptor.get(), &QTcpServer::acceptError, this, &HttpListener::afterChange);
    m_acceptors.push_back(std::move(acceptor));
    return m_acceptors.back()->serverPort();
}

Result<quint16> HttpListener::listenOn(const QHostAddress& address, quint16 port, TlsKeeper& tls, int lookMs)
{
    auto acceptor = std::make_unique<Acceptor>([this, &tls](int socket) { accept(socket, tls.current()); });
    REDRIVE_TRY(acceptor->listenOn(address, port));
    connect(acceptor.get(), &QTcpServer::acceptError, this, &HttpListener::afterChange);
    m_acceptors.push_back(std::move(acceptor));
    tls.look(m_service.clock.wallMs());
    connect(&m_tlsTimer, &QTimer::timeout, this, [this, &tls] { tls.look(m_service.clock.wallMs()); });
    m_tlsTimer.start(lookMs);
    return m_acceptors.back()->serverPort();
}

bool HttpListener::isCounted(const ClientAddress& client) const
{
    return m_service.limits.loopbackCounts || !client.loopback;
}

bool HttpListener::hasRoomFor(const ClientAddress& client) const
{
    if (m_open >= m_service.limits.connections)
        return false;
    const auto open = m_perAddress.find(client);
    return open == m_perAddress.end() || open->second < m_service.limits.connectionsPerAddress;
}

void HttpListener::accept(int socket, const std::shared_ptr<const TlsContext>& tls)
{
    const ClientAddress client = ClientAddress::ofPeer(socket);
    const bool hasRoom = hasRoomFor(client);
    // A surplus one is told why, but not through a handshake, which costs more than what it asks for.
    if (!hasRoom && tls)
        m_service.counters.surplusConnections.fetch_add(1, std::memory_order_relaxed);
    if ((!hasRoom && (tls || m_surplus >= m_service.limits.surplusConnections)) || !prepare(socket)) {
        ::close(socket);
        return;
    }
    const qint64 now = m_service.clock.steadyMs();
    const quint64 id = m_nextId++;
    auto connection = std::make_unique<HttpConnection>(m_service, m_poll,
                                                       HttpConnection::Origin{socket, tls, client}, id, now);
    if (connection->isClosed())
        return;
    HttpConnection& added = *m_connections.emplace(id, std::move(connection)).first->second;
    if (hasRoom) {
        ++m_open;
        if (isCounted(client))
            ++m_perAddress[client];
        m_service.counters.connections.fetch_add(1, std::memory_order_relaxed);
    } else {
        refuseSurplus(added, now);
    }
    afterChange();
}

void HttpListener::refuseSurplus(HttpConnection& connection, qint64 nowMs)
{
    ++m_surplus;
    m_service.counters.surplusConnections.fetch_add(1, std::memory_order_relaxed);
    connection.markSurplus(m_service.limits.surplusLingerMs);
    connection.session().refuse(problem::tooManyConnections(), nowMs);
    connection.flush(nowMs);
}

void HttpListener::customEvent(QEvent* event)
{
    if (event->type() == CompletionQueue::eventType())
        onCompletions();
}

void HttpListener::onSockets()
{
    const qint64 now = m_service.clock.steadyMs();
    m_poll.visitReady([&](quint64 id, quint32 events) {
        const auto found = m_connections.find(id);
        if (found == m_connections.end())
            return;
        found->second->onEvents(events, m_scratch, now);
        if (found->second->isClosed())
            erase(found);
    });
    afterChange();
}

void HttpListener::onCompletions()
{
    const qint64 now = m_service.clock.steadyMs();
    std::vector<quint64> touched;
    for (Completion& completion : m_service.completions->take()) {
        const quint64 id = completion.ticket.connection;
        const auto found = m_connections.find(id);
        if (found == m_connections.end())
            continue;
        found->second->session().complete(completion.ticket.request, std::move(completion), now);
        if (touched.empty() || touched.back() != id)
            touched.push_back(id);
    }
    for (const quint64 id : touched) {
        const auto found = m_connections.find(id);
        if (found == m_connections.end())
            continue;
        found->second->flush(now);
        if (found->second->isClosed())
            erase(found);
    }
    afterChange();
}

void HttpListener::onTick()
{
    const qint64 now = m_service.clock.steadyMs();
    for (auto at = m_connections.begin(); at != m_connections.end();) {
        const auto current = at++;
        current->second->tick(now);
        if (current->second->isClosed())
            erase(current);
    }
    for (const auto& acceptor : m_acceptors)
        acceptor->goOn();
    afterChange();
}

void HttpListener::erase(Connections::iterator at)
{
    const HttpConnection& gone = *at->second;
    --(gone.isSurplus() ? m_surplus : m_open);
    if (const auto open = m_perAddress.find(gone.client()); !gone.isSurplus() && open != m_perAddress.end()) {
        if (--open->second == 0)
            m_perAddress.erase(open);
    }
    m_connections.erase(at);
}

bool HttpListener::acceptFailed() const
{
    return std::any_of(m_acceptors.begin(), m_acceptors.end(),
                       [](const auto& acceptor) { return acceptor->hasFailed(); });
}

void HttpListener::afterChange()
{
    m_service.counters.openConnections.store(quint64(m_connections.size()), std::memory_order_relaxed);
    const bool ticks = acceptFailed() || (m_service.clock.movesByItself() && !m_connections.empty());
    if (ticks != m_timer.isActive())
        ticks ? m_timer.start() : m_timer.stop();
    if (m_closing && m_connections.empty())
        m_finished();
}

void HttpListener::beginStop()
{
    if (m_service.stopping)
        return;
    m_service.stopping = true;
    const qint64 now = m_service.clock.steadyMs();
    for (auto at = m_connections.begin(); at != m_connections.end();) {
        const auto current = at++;
        current->second->session().stop();
        current->second->flush(now);
        if (current->second->isClosed())
            erase(current);
    }
    afterChange();
}

void HttpListener::closeAll()
{
    for (const auto& acceptor : m_acceptors)
        acceptor->close();
    beginStop();
    onCompletions();
    m_closing = true;
    // What is left waits for the engine or for the rest of a request: only output is still worth a wait.
    for (auto at = m_connections.begin(); at != m_connections.end();) {
        const auto current = at++;
        if (current->second->session().output().isEmpty())
            erase(current);
    }
    QTimer::singleShot(kCloseMs, this, &HttpListener::dropAll);
    afterChange();
}

void HttpListener::dropAll()
{
    m_connections.clear();
    afterChange();
}

} // namespace redrive
