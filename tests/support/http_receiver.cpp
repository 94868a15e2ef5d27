#include "tests/support/http_receiver.h"

#include <algorithm>
#include <arpa/inet.h>
#include <chrono>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>

namespace redrive::test {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

struct ReceiverConnection
{
    int socket = -1;
    int number = 0;
    QByteArray incoming;
    bool answering = false; // `answer` is under way
    QByteArray path;        // of the request being answered
    ReceiverAnswer answer;
    steady_clock::time_point nextDrip;
    bool blocked = false; // the peer must read first
    bool peerGone = false;
    bool closed = false; // by us

    explicit ReceiverConnection(int descriptor) : socket(descriptor) {}
    ~ReceiverConnection() { close(socket); }
    ReceiverConnection(const ReceiverConnection&) = delete;
    ReceiverConnection& operator=(const ReceiverConnection&) = delete;
};

namespace {

int checked(int result, const char* what)
{
    if (result < 0)
        throw std::system_error(errno, std::generic_category(), what);
    return result;
}

void resetOnClose(int socket)
{
    const linger now{1, 0};
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

} // namespace

HttpReceiver::HttpReceiver()
    : m_listener(checked(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), "socket")),
      m_wakeUp(checked(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd"))
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    checked(bind(m_listener, generic, size), "bind");
    checked(listen(m_listener, 1024), "listen");
    checked(getsockname(m_listener, generic, &size), "getsockname");
    m_port = ntohs(address.sin_port);
    m_thread = std::thread([this] { run(); });
}

HttpReceiver::~HttpReceiver()
{
    {
        std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    wake();
    m_thread.join();
    close(m_listener);
    close(m_wakeUp);
}

QString HttpReceiver::url(const QByteArray& path) const
{
    return QStringLiteral("http://127.0.0.1:%1%2").arg(m_port).arg(QString::fromLatin1(path));
}

void HttpReceiver::answer(const QByteArray& path, ReceiverAnswer answer)
{
    std::lock_guard lock(m_mutex);
    m_answers[path] = std::move(answer);
}

void HttpReceiver::answerNext(const QByteArray& path, ReceiverAnswer answer)
{
    std::lock_guard lock(m_mutex);
    m_nextAnswers[path].push_back(std::move(answer));
}

void HttpReceiver::release(const QByteArray& path)
{
    {
        std::lock_guard lock(m_mutex);
        m_released.insert(path);
    }
    wake();
}

std::vector<ReceivedRequest> HttpReceiver::arrivals(const QByteArray& path) const
{
    std::lock_guard lock(m_mutex);
    std::vector<ReceivedRequest> result;
    std::copy_if(m_arrivals.begin(), m_arrivals.end(), std::back_inserter(result),
                 [&](const ReceivedRequest& r) { return path.isEmpty() || r.target == path; });
    return result;
}

int HttpReceiver::countLocked(const QByteArray& path) const
{
    return int(std::count_if(m_arrivals.begin(), m_arrivals.end(),
                             [&](const ReceivedRequest& r) { return path.isEmpty() || r.target == path; }));
}

int HttpReceiver::arrivalCount(const QByteArray& path) const
{
    std::lock_guard lock(m_mutex);
    return countLocked(path);
}

bool HttpReceiver::waitForArrivals(int count, const QByteArray& path, int timeoutMs) const
{
    std::unique_lock lock(m_mutex);
    return m_changed.wait_for(lock, milliseconds(timeoutMs), [&] { return countLocked(path) >= count; });
}

bool HttpReceiver::waitForOpenConnections(int count, int timeoutMs) const
{
    std::unique_lock lock(m_mutex);
    return m_changed.wait_for(lock, milliseconds(timeoutMs), [&] { return m_open == count; });
}

int HttpReceiver::connectionsAccepted() const
{
    std::lock_guard lock(m_mutex);
    return m_accepted;
}

qint64 HttpReceiver::bytesSent() const
{
    std::lock_guard lock(m_mutex);
    return m_bytesSent;
}

void HttpReceiver::wake()
{
    const uint64_t one = 1;
    [[maybe_unused]] const auto written = write(m_wakeUp, &one, sizeof one);
}

void HttpReceiver::run()
{
    Connections connections;
    std::vector<pollfd> polled;
    while (true) {
        polled.assign({{m_listener, POLLIN, 0}, {m_wakeUp, POLLIN, 0}});
        for (const auto& connection : connections)
            polled.push_back({connection->socket, short(POLLIN | (connection->blocked ? POLLOUT : 0)), 0});
        poll(polled.data(), polled.size(), pollTimeoutMs(connections));

        uint64_t ignored = 0;
        [[maybe_unused]] const auto bytes = read(m_wakeUp, &ignored, sizeof ignored);
        for (size_t i = 0; i < connections.size(); ++i) {
            if (polled[i + 2].revents & (POLLIN | POLLHUP | POLLERR))
                readFrom(*connections[i]);
            takeRequests(*connections[i]);
        }
        std::erase_if(connections,
                      [](const auto& connection) { return connection->closed || connection->peerGone; });
        if (polled[0].revents & POLLIN)
            acceptOne(connections);

        std::lock_guard lock(m_mutex);
        m_open = int(connections.size());
        m_changed.notify_all();
        if (m_stopping)
            return;
    }
}

int HttpReceiver::pollTimeoutMs(const Connections& connections) const
{
    int timeout = -1;
    for (const auto& connection : connections) {
        if (!connection->answering || connection->answer.dripIntervalMs == 0)
            continue;
        const auto left = std::chrono::ceil<milliseconds>(connection->nextDrip - steady_clock::now()).count();
        const int wait = int(std::max<qint64>(0, left));
        timeout = timeout < 0 ? wait : std::min(timeout, wait);
    }
    return timeout;
}

void HttpReceiver::acceptOne(Connections& connections)
{
    const int descriptor = accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (descriptor < 0)
        return;
    connections.push_back(std::make_unique<ReceiverConnection>(descriptor));
    std::lock_guard lock(m_mutex);
    connections.back()->number = ++m_accepted;
}

void HttpReceiver::readFrom(ReceiverConnection& connection)
{
    char buffer[65'536];
    while (true) {
        const ssize_t count = recv(connection.socket, buffer, sizeof buffer, 0);
        if (count > 0)
            connection.incoming.append(buffer, count);
        else if (count < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        else {
            connection.peerGone = true;
            return;
        }
    }
}

void HttpReceiver::takeRequests(ReceiverConnection& connection)
{
    while (true) {
        if (connection.answering)
            continueAnswer(connection);
        if (connection.answering || connection.closed)
            return;
        auto request = takeRequest(connection.incoming);
        if (!request)
            return;
        request->connection = connection.number;
        connection.path = request->target;
        connection.answer = answerFor(request->target);
        connection.answering = true;
        std::lock_guard lock(m_mutex);
        m_arrivals.push_back(std::move(*request));
        m_changed.notify_all();
    }
}

ReceiverAnswer HttpReceiver::answerFor(const QByteArray& path)
{
    std::lock_guard lock(m_mutex);
    if (const auto next = m_nextAnswers.find(path); next != m_nextAnswers.end() && !next->second.empty()) {
        ReceiverAnswer answer = std::move(next->second.front());
        next->second.pop_front();
        return answer;
    }
    const auto standing = m_answers.find(path);
    return standing == m_answers.end() ? ReceiverAnswer::status(200) : standing->second;
}

bool HttpReceiver::isReleased(const QByteArray& path) const
{
    std::lock_guard lock(m_mutex);
    return m_released.contains(path);
}

void HttpReceiver::continueAnswer(ReceiverConnection& connection)
{
    ReceiverAnswer& answer = connection.answer;
    if (answer.held && !isReleased(connection.path))
        return;
    connection.blocked = false;
    while (!answer.bytes.isEmpty() || answer.fillBytes > 0) {
        if (answer.bytes.isEmpty()) {
            answer.bytes = QByteArray(std::min<qint64>(answer.fillBytes, 65'536), 'x');
            answer.fillBytes -= answer.bytes.size();
        }
        const bool dripping = answer.dripIntervalMs > 0;
        if (dripping && steady_clock::now() < connection.nextDrip)
            return;
        const size_t size = dripping ? 1 : size_t(answer.bytes.size());
        const ssize_t sent = send(connection.socket, answer.bytes.constData(), size, MSG_NOSIGNAL);
        if (sent < 0) {
            connection.blocked = errno == EAGAIN;
            connection.closed = !connection.blocked;
            connection.answering = connection.blocked;
            return;
        }
        answer.bytes.remove(0, sent);
        connection.nextDrip = steady_clock::now() + milliseconds(answer.dripIntervalMs);
        std::lock_guard lock(m_mutex);
        m_bytesSent += sent;
    }
    connection.answering = false;
    if (answer.then == ReceiverAnswer::Then::Reset)
        resetOnClose(connection.socket);
    if (answer.then == ReceiverAnswer::Then::HalfClose)
        shutdown(connection.socket, SHUT_WR);
    else if (answer.then != ReceiverAnswer::Then::KeepAlive)
        connection.closed = true;
}

} // namespace redrive::test
