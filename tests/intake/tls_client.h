// A blocking TLS client on loopback, without any check of the certificate: it looks at what the server does.
#pragma once

#include "tests/intake/http_reply.h"

#include <arpa/inet.h>
#include <ctime>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/socket.h>
#include <unistd.h>

namespace redrive::test {

class TlsClient final
{
public:
    explicit TlsClient(quint16 port, int maxVersion = TLS1_3_VERSION)
        : m_context(SSL_CTX_new(TLS_client_method())), m_socket(::socket(AF_INET, SOCK_STREAM, 0))
    {
        SSL_CTX_set_security_level(m_context, 0);
        SSL_CTX_set_min_proto_version(m_context, TLS1_VERSION);
        SSL_CTX_set_max_proto_version(m_context, maxVersion);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const timeval patience{20, 0};
        ::setsockopt(m_socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        m_ssl = SSL_new(m_context);
        SSL_set_fd(m_ssl, m_socket);
        m_connected = ::connect(m_socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
                      SSL_connect(m_ssl) == 1;
    }
    ~TlsClient()
    {
        SSL_free(m_ssl);
        SSL_CTX_free(m_context);
        ::close(m_socket);
    }
    TlsClient(const TlsClient&) = delete;
    TlsClient& operator=(const TlsClient&) = delete;

    bool isConnected() const { return m_connected; }
    QByteArray version() const { return SSL_get_version(m_ssl); }
    // When the server's certificate ends, unix milliseconds.
    qint64 certificateEndMs() const
    {
        X509* certificate = SSL_get1_peer_certificate(m_ssl);
        tm end{};
        ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &end);
        X509_free(certificate);
        return qint64(timegm(&end)) * 1000;
    }
    void send(const QByteArray& bytes)
    {
        for (qsizetype sent = 0; sent < bytes.size();) {
            const int step = SSL_write(m_ssl, bytes.constData() + sent, int(bytes.size() - sent));
            if (step <= 0)
                return;
            sent += step;
        }
    }
    QList<HttpReply> replies(int count)
    {
        while (readReplies(m_received).size() < count && readMore()) {
        }
        return readReplies(m_received);
    }
    // Waits for the end of the stream; true when the server said so in TLS.
    bool isClosed()
    {
        while (readMore()) {
        }
        return SSL_get_shutdown(m_ssl) & SSL_RECEIVED_SHUTDOWN;
    }

private:
    bool readMore()
    {
        char bytes[16384];
        const int got = SSL_read(m_ssl, bytes, sizeof bytes);
        if (got > 0)
            m_received.append(bytes, got);
        return got > 0;
    }

    SSL_CTX* m_context;
    SSL* m_ssl = nullptr;
    int m_socket;
    bool m_connected = false;
    QByteArray m_received;
};

} // namespace redrive::test
