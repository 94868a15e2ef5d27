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

struct Addresses
{
    ListenAddress plain;
    std::optional<ListenAddress> tls;
};

struct Ports
{
    quint16 plain = 0;
    quint16 tls = 0;
};

Result<Addresses> addressesOf(const HttpOptions& options)
{
    Addresses addresses;
    REDRIVE_ASSIGN(plain, parseListenAddress(options.listen));
    addresses.plain = plain;
    if (!options.listenTls.isEmpty()) {
        REDRIVE_ASSIGN(tls, parseListenAddress(options.listenTls));
        addresses.tls = tls;
    }
    return addresses;
}

Status checkReach(const HttpOptions& options, const Addresses& addresses)
{
    if (options.insecureListen)
        return {};
    REDRIVE_TRY(checkPlainListen(options.listen, addresses.plain));
    if (!addresses.tls || addresses.tls->host.isLoopback())
        return {};
    if (!options.tokens || !options.tokens->isRequired())
        return fail(ErrorKind::Refused,
                    u"'%1' is not a loopback address and needs tokens: make one with `redrive tokens create "
                    "NAME`, or name a secret in intake_token"_s.arg(options.listenTls),
                    {}, u"listen_tls"_s);
    return {};
}

QStringList urlHosts(const Addresses& addresses)
{
    QStringList hosts{hostInUrl(addresses.plain.host)};
    if (addresses.tls)
        hosts.append(hostInUrl(addresses.tls->host));
    return hosts;
}

QString textOf(const ListenAddress& address, quint16 port)
{
    return u"%1:%2"_s.arg(hostInUrl(address.host)).arg(port);
}
} // namespace

// Owns what the connections share, and the thread with its listener.
class HttpServer::Thread final : public QThread
{
public:
    Thread(Clock& clock, IntakePort& intake, const HttpOptions& options, const Addresses& addresses)
        : m_service(clock, intake, options, urlHosts(addresses)), m_tls(options.tls), m_addresses(addresses),
          m_tlsLookMs(options.tlsLookMs)
    {
        setObjectName(u"intake"_s);
    }

    Status loadTls() { return m_addresses.tls ? m_tls.load() : Status(); }
    std::future<Result<Ports>> listening() { return m_listening.get_future(); }
    const HttpCounters& counters() const { return m_service.counters; }
    TlsState tlsState() const { return m_tls.state(); }

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
        const Result<Ports> ports = listenWith(listener);
        if (!ports) {
            m_listening.set_value(ports);
            return;
        }
        setListener(&listener);
        m_listening.set_value(ports);
        loop.exec();
        setListener(nullptr);
    }

private:
    Result<Ports> listenWith(HttpListener& listener)
    {
        Ports ports;
        REDRIVE_ASSIGN(plain, listener.listenOn(m_addresses.plain.host, m_addresses.plain.port));
        ports.plain = plain;
        if (m_addresses.tls) {
            REDRIVE_ASSIGN(
                tls, listener.listenOn(m_addresses.tls->host, m_addresses.tls->port, m_tls, m_tlsLookMs));
            ports.tls = tls;
        }
        return ports;
    }
    void setListener(HttpListener* listener)
    {
        std::lock_guard lock(m_mutex);
        m_listener = listener;
    }

    HttpService m_service;
    TlsKeeper m_tls;
    const Addresses m_addresses;
    const int m_tlsLookMs;
    std::promise<Result<Ports>> m_listening;
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
    REDRIVE_ASSIGN(addresses, addressesOf(options));
    REDRIVE_TRY(checkReach(options, addresses));
    raiseDescriptorLimit(options.limits.connections + options.limits.surplusConnections + kOtherDescriptors);
    auto thread = std::make_unique<Thread>(m_clock, m_intake, options, addresses);
    REDRIVE_TRY(thread->loadTls());
    auto listening = thread->listening();
    thread->start();
    const Result<Ports> ports = listening.get();
    if (!ports) {
        thread->wait();
        return tl::unexpected(ports.error());
    }
    m_port = ports->plain;
    m_address = textOf(addresses.plain, m_port);
    if (addresses.tls)
        m_tlsAddress = textOf(*addresses.tls, ports->tls);
    m_insecure = !addresses.plain.host.isLoopback() ||
                 (addresses.tls && !addresses.tls->host.isLoopback() && !options.tokens->isRequired());
    m_thread = std::move(thread);
    logEvent(LogLevel::Info, "intake.listening", {{"address", m_address}, {"tls", m_tlsAddress}});
    if (m_insecure)
        logEvent(LogLevel::Warning, "intake.insecure_listen",
                 {{"address", m_address}, {"tls", m_tlsAddress}});
    return {};
}

TlsState HttpServer::tlsState() const
{
    return m_thread ? m_thread->tlsState() : TlsState();
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
    const auto events = [](const HttpCounters::Events& of) {
        return HttpFigures::Events{of.accepted, of.rejected};
    };
    return {counters.connections,   counters.surplusConnections, counters.requests,
            counters.refused,       counters.openConnections,    events(counters.single),
            events(counters.batch), events(counters.sync)};
}

} // namespace redrive
