#include "core/intake/http_server.h"

#include "core/base/log.h"
#include "core/config/listen_address.h"
#include "core/intake/descriptor_limit.h"
#include "core/intake/http_listener.h"

#include <QEventLoop>
#include <QThread>

#include <future>

namespace redrive {

namespace {
constexpr int kOtherDescriptors = 512; // databases, deliveries, logs, programs

QString hostInUrl(const QHostAddress& address)
{
    return address.protocol() == QAbstractSocket::IPv6Protocol ? u"[%1]"_s.arg(address.toString())
                                                               : address.toString();
}
} // namespace

// Owns what the connections share, and the thread with its listener.
class HttpServer::Thread final : public QThread
{
public:
    Thread(Clock& clock, IntakePort& intake, const HttpOptions& options, const ListenAddress& address)
        : m_service(clock, intake, options, hostInUrl(address.host)), m_address(address)
    {
        setObjectName(u"intake"_s);
    }

    std::future<Result<quint16>> listening() { return m_listening.get_future(); }
    const HttpCounters& counters() const { return m_service.counters; }

    // In the intake thread, while it runs.
    void call(void (HttpListener::*what)())
    {
        std::lock_guard lock(m_mutex);
        if (m_listener)
            QMetaObject::invokeMethod(m_listener, what, Qt::QueuedConnection);
    }

protected:
    void run() override
    {
        QEventLoop loop;
        HttpListener listener(m_service, [&loop] { loop.quit(); });
        if (const Status status = listener.listenOn(m_address.host, m_address.port); !status) {
            m_listening.set_value(tl::unexpected(status.error()));
            return;
        }
        setListener(&listener);
        m_listening.set_value(listener.serverPort());
        loop.exec();
        setListener(nullptr);
    }

private:
    void setListener(HttpListener* listener)
    {
        std::lock_guard lock(m_mutex);
        m_listener = listener;
    }

    HttpService m_service;
    const ListenAddress m_address;
    std::promise<Result<quint16>> m_listening;
    std::mutex m_mutex; // guards m_listener
    HttpListener* m_listener = nullptr;
};

HttpServer::HttpServer(Clock& clock, IntakePort& port) : m_clock(clock), m_intake(port) {}

HttpServer::~HttpServer()
{
    stop();
}

Status HttpServer::start(const HttpOptions& options)
{
    if (m_thread)
        return fail(ErrorKind::Refused, u"The HTTP front was started before"_s);
    if (options.tokenHashes && !BearerTokens(*options.tokenHashes).isValid())
        return fail(ErrorKind::InvalidInput, u"The intake token is empty"_s, {}, u"intake_token"_s);
    REDRIVE_ASSIGN(address, parseListenAddress(options.listen));
    raiseDescriptorLimit(options.limits.connections + options.limits.surplusConnections + kOtherDescriptors);
    auto thread = std::make_unique<Thread>(m_clock, m_intake, options, address);
    auto listening = thread->listening();
    thread->start();
    const Result<quint16> port = listening.get();
    if (!port) {
        thread->wait();
        return tl::unexpected(port.error());
    }
    m_port = *port;
    m_address = u"%1:%2"_s.arg(hostInUrl(address.host)).arg(m_port);
    m_thread = std::move(thread);
    logEvent(LogLevel::Info, "intake.listening", {{"address", m_address}});
    return {};
}

void HttpServer::beginStop()
{
    if (m_thread)
        m_thread->call(&HttpListener::beginStop);
}

void HttpServer::stop()
{
    if (!m_thread || m_thread->isFinished())
        return;
    m_thread->call(&HttpListener::closeAll);
    m_thread->wait();
    logEvent(LogLevel::Info, "intake.stopped", {{"address", m_address}});
}

HttpFigures HttpServer::figures() const
{
    if (!m_thread)
        return {};
    const HttpCounters& counters = m_thread->counters();
    return {counters.connections, counters.surplusConnections, counters.requests, counters.refused,
            counters.openConnections};
}

} // namespace redrive
