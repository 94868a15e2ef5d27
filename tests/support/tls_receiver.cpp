#include "tests/support/tls_receiver.h"

#include "tests/support/received_request.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <signal.h>
#include <stdexcept>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

namespace redrive::test {

namespace {

void check(bool good, const char* what)
{
    if (!good)
        throw std::runtime_error(what);
}

} // namespace

TlsReceiver::TlsReceiver(const TlsIdentity& identity)
    : m_certificate(identity, m_folder.path()), m_context(SSL_CTX_new(TLS_server_method())),
      m_listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)), m_wakeUp(eventfd(0, EFD_CLOEXEC))
{
    check(m_context && m_listener >= 0 && m_wakeUp >= 0, "sockets");
    if (identity.maxTlsVersion < TLS1_2_VERSION) {
        SSL_CTX_set_security_level(m_context, 0);
        SSL_CTX_set_min_proto_version(m_context, TLS1_VERSION);
    }
    SSL_CTX_set_max_proto_version(m_context, identity.maxTlsVersion);
    check(SSL_CTX_use_certificate_file(m_context, m_certificate.certificateFile().toLocal8Bit().constData(),
                                       SSL_FILETYPE_PEM) == 1 &&
              SSL_CTX_use_PrivateKey_file(m_context, m_certificate.keyFile().toLocal8Bit().constData(),
                                          SSL_FILETYPE_PEM) == 1,
          "use certificate");

    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    check(bind(m_listener, generic, size) == 0 && listen(m_listener, 16) == 0 &&
              getsockname(m_listener, generic, &size) == 0,
          "listen");
    m_port = ntohs(address.sin_port);
    m_thread = std::thread([this] { run(); });
}

TlsReceiver::~TlsReceiver()
{
    const uint64_t one = 1;
    [[maybe_unused]] const auto written = write(m_wakeUp, &one, sizeof one);
    m_thread.join();
    SSL_CTX_free(m_context);
    close(m_listener);
    close(m_wakeUp);
}

bool TlsReceiver::waitReadable(int socket) const
{
    pollfd polled[2] = {{socket, POLLIN, 0}, {m_wakeUp, POLLIN, 0}};
    poll(polled, 2, -1);
    return !(polled[1].revents & POLLIN);
}

void TlsReceiver::run()
{
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
    while (waitReadable(m_listener)) {
        const int socket = accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
        if (socket < 0)
            continue;
        serve(socket);
        close(socket);
    }
}

void TlsReceiver::serve(int socket)
{
    const std::unique_ptr<SSL, decltype(&SSL_free)> session(SSL_new(m_context), &SSL_free);
    SSL_set_fd(session.get(), socket);
    if (!waitReadable(socket) || SSL_accept(session.get()) != 1)
        return;
    QByteArray incoming;
    while (SSL_pending(session.get()) > 0 || waitReadable(socket)) {
        char buffer[16'384];
        const int count = SSL_read(session.get(), buffer, sizeof buffer);
        if (count <= 0)
            return;
        incoming.append(buffer, count);
        while (takeRequest(incoming)) {
            ++m_arrivals;
            const QByteArray answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
            SSL_write(session.get(), answer.constData(), int(answer.size()));
        }
    }
}

} // namespace redrive::test
