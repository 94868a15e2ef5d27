// A certificate of its own making and its key, as PEM files in a folder. Value once made; any thread.
#pragma once

#include <QByteArray>
#include <QString>

namespace redrive::test {

struct TlsIdentity
{
    QByteArray name = "IP:127.0.0.1"; // subjectAltName
    qint64 startsInSeconds = -3'600;
    qint64 endsInSeconds = 86'400;
    int maxTlsVersion = 0x0304; // 0x0302: TLS 1.1
};

class TestCertificate final
{
public:
    // Writes certificate.pem and key.pem, over those that are there.
    TestCertificate(const TlsIdentity& identity, const QString& folder);

    QString certificateFile() const { return m_folder + QStringLiteral("/certificate.pem"); }
    QString keyFile() const { return m_folder + QStringLiteral("/key.pem"); }
    qint64 expiryMs() const { return m_expiryMs; }

private:
    QString m_folder;
    qint64 m_expiryMs = 0;
};

} // namespace redrive::test
