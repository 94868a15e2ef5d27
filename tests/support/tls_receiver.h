// An HTTPS server on loopback with a certificate of its own making; answers every POST with 200 "ok". One
// connection at a time. Any thread.
#pragma once

#include <QString>
#include <QTemporaryDir>

#include <atomic>
#include <thread>

struct evp_pkey_st;
struct ssl_ctx_st;
struct x509_st;

namespace redrive::test {

struct TlsIdentity
{
    QByteArray name = "IP:127.0.0.1"; // subjectAltName
    qint64 startsInSeconds = -3'600;
    qint64 endsInSeconds = 86'400;
    int maxTlsVersion = 0x0304; // 0x0302: TLS 1.1
};

class TlsReceiver final
{
public:
    explicit TlsReceiver(const TlsIdentity& identity = {});
    ~TlsReceiver();
    TlsReceiver(const TlsReceiver&) = delete;
    TlsReceiver& operator=(const TlsReceiver&) = delete;

    QString url() const { return QStringLiteral("https://127.0.0.1:%1/hook").arg(m_port); }
    quint16 port() const { return m_port; }
    // The certificate as PEM, for those who shall trust it.
    QString certificateFile() const { return m_folder.filePath(QStringLiteral("certificate.pem")); }
    qint64 certificateExpiryMs() const { return m_expiryMs; }
    int arrivalCount() const { return m_arrivals; }

private:
    void makeCertificate(const TlsIdentity& identity);
    void run();
    void serve(int socket);
    bool waitReadable(int socket) const;

    QTemporaryDir m_folder;
    ssl_ctx_st* m_context = nullptr;
    int m_listener = -1;
    int m_wakeUp = -1;
    quint16 m_port = 0;
    qint64 m_expiryMs = 0;
    std::atomic<int> m_arrivals = 0;
    std::thread m_thread;
};

} // namespace redrive::test
