#include "tests/support/tls_receiver.h"

#include "tests/support/received_request.h"

#include <QFile>

#include <arpa/inet.h>
#include <ctime>
#include <memory>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
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
    : m_context(SSL_CTX_new(TLS_server_method())), m_listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)),
      m_wakeUp(eventfd(0, EFD_CLOEXEC))
{
    check(m_context && m_listener >= 0 && m_wakeUp >= 0, "sockets");
    if (identity.maxTlsVersion < TLS1_2_VERSION) {
        SSL_CTX_set_security_level(m_context, 0);
        SSL_CTX_set_min_proto_version(m_context, TLS1_VERSION);
    }
    SSL_CTX_set_max_proto_version(m_context, identity.maxTlsVersion);
    makeCertificate(identity);

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

void TlsReceiver::makeCertificate(const TlsIdentity& identity)
{
    const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_EC_gen("P-256"), &EVP_PKEY_free);
    const std::unique_ptr<X509, decltype(&X509_free)> certificate(X509_new(), &X509_free);
    check(key && certificate, "key");
    X509_set_version(certificate.get(), X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), identity.startsInSeconds);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), identity.endsInSeconds);
    tm end{};
    ASN1_TIME_to_tm(X509_get0_notAfter(certificate.get()), &end);
    m_expiryMs = qint64(timegm(&end)) * 1000;
    X509_set_pubkey(certificate.get(), key.get());
    X509_NAME* name = X509_get_subject_name(certificate.get());
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("test"), -1,
                               -1, 0);
    X509_set_issuer_name(certificate.get(), name);
    X509_EXTENSION* names =
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, identity.name.constData());
    check(names, "subjectAltName");
    X509_add_ext(certificate.get(), names, -1);
    X509_EXTENSION_free(names);
    check(X509_sign(certificate.get(), key.get(), EVP_sha256()) > 0, "sign");
    check(SSL_CTX_use_certificate(m_context, certificate.get()) == 1 &&
              SSL_CTX_use_PrivateKey(m_context, key.get()) == 1,
          "use certificate");

    const std::unique_ptr<BIO, decltype(&BIO_free)> text(BIO_new(BIO_s_mem()), &BIO_free);
    check(PEM_write_bio_X509(text.get(), certificate.get()) == 1, "PEM");
    char* data = nullptr;
    const long size = BIO_get_mem_data(text.get(), &data);
    QFile file(certificateFile());
    check(file.open(QIODevice::WriteOnly) && file.write(data, size) == size, "certificate file");
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
