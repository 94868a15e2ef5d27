#include "core/receiver/receiver.h"

#include "core/intake/descriptor_limit.h"
#include "core/receiver/receiver_loop.h"

#include <cerrno>
#include <cstring>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

namespace redrive {

namespace {

constexpr int kBacklog = 1024;

quint16 boundPort(int socket)
{
    sockaddr_in6 address{};
    socklen_t size = sizeof address;
    ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
    return ntohs(address.sin6_port); // at the same place in both families
}

int bindLoopback(int socket, bool ipv6, quint16 port)
{
    if (ipv6) {
        sockaddr_in6 address{};
        address.sin6_family = AF_INET6;
        address.sin6_port = htons(port);
        address.sin6_addr = in6addr_loopback;
        return ::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address);
    }
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return ::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address);
}

Result<int> listenOn(bool ipv6, quint16 port)
{
    const int socket = ::socket(ipv6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const int on = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (socket >= 0 && bindLoopback(socket, ipv6, port) == 0 && ::listen(socket, kBacklog) == 0)
        return socket;
    const int error = errno;
    ::close(socket);
    return fail(error == EADDRINUSE ? ErrorKind::Conflict : ErrorKind::Internal,
                u"the receiver cannot listen on port %1"_s.arg(port),
                QString::fromLocal8Bit(std::strerror(error)));
}

} // namespace

Result<std::unique_ptr<Receiver>> Receiver::start(ReceiverOptions options)
{
    raiseDescriptorLimit(kMostConnections + 100);
    REDRIVE_ASSIGN(listener, listenOn(options.ipv6, options.port));
    std::unique_ptr<Receiver> receiver(new Receiver(listener, std::move(options)));
    if (!receiver->m_options.desk.scriptFile.isEmpty())
        REDRIVE_TRY(receiver->m_desk->readScriptFile());
    REDRIVE_TRY(receiver->makeLoop());
    receiver->m_thread = std::thread([loop = receiver->m_loop.get()] { loop->run(); });
    return receiver;
}

Receiver::Receiver(int listener, ReceiverOptions options)
    : m_listener(listener), m_options(std::move(options)), m_port(boundPort(listener)),
      m_desk(std::make_unique<ReceiverDesk>(m_options.desk, m_clock))
{
}

Status Receiver::makeLoop()
{
    m_wakeUp = ::eventfd(0, EFD_CLOEXEC);
    if (m_wakeUp >= 0)
        m_loop = std::make_unique<ReceiverLoop>(m_listener, m_wakeUp, m_options.tls, *m_desk, m_clock,
                                                kMostConnections, kMostRequestBytes);
    if (m_loop && m_loop->isOpen())
        return {};
    return fail(ErrorKind::Internal, u"the receiver cannot wait for requests"_s,
                QString::fromLocal8Bit(std::strerror(errno)));
}

Receiver::~Receiver()
{
    const quint64 one = 1;
    if (m_thread.joinable()) {
        (void)!::write(m_wakeUp, &one, sizeof one);
        m_thread.join();
    }
    m_loop.reset();
    ::close(m_listener);
    if (m_wakeUp >= 0)
        ::close(m_wakeUp);
}

QString Receiver::url(const QString& path) const
{
    return u"%1://%2:%3%4"_s
        .arg(m_options.tls ? u"https"_s : u"http"_s, m_options.ipv6 ? u"[::1]"_s : u"127.0.0.1"_s)
        .arg(m_port)
        .arg(path);
}

} // namespace redrive
