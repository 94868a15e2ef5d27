// An HTTPS server on loopback with a certificate of its own making; answers every POST with 200 "ok". One
// connection at a time. Any thread.
#pragma once

#include "tests/support/test_certificate.h"

#include <QString>
#include <QTemporaryDir>

#include <atomic>
#include <thread>

struct ssl_ctx_st;

namespace redrive::test {

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
    QString certificateFile() const { return m_certificate.certificateFile(); }
    qint64 certificateExpiryMs() const { return m_certificate.expiryMs(); }
    int arrivalCount() const { return m_arrivals; }

private:
    void run();
    void serve(int socket);
    bool waitReadable(int socket) const;

    QTemporaryDir m_folder;
    TestCertificate m_certificate;
    ssl_ctx_st* m_context = nullptr;
    int m_listener = -1;
    int m_wakeUp = -1;
    quint16 m_port = 0;
    std::atomic<int> m_arrivals = 0;
    std::thread m_thread;
};

} // namespace redrive::test
