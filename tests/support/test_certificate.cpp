#include "tests/support/test_certificate.h"

#include "core/receiver/made_certificate.h"

#include <QFile>

#include <stdexcept>

namespace redrive::test {

namespace {

void write(const QString& path, const QByteArray& text)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        throw std::runtime_error("PEM file");
}

} // namespace

TestCertificate::TestCertificate(const TlsIdentity& identity, const QString& folder) : m_folder(folder)
{
    const auto made = makeCertificate({identity.name, identity.startsInSeconds, identity.endsInSeconds});
    if (!made)
        throw std::runtime_error("certificate");
    m_expiryMs = made->endsAtMs;
    write(keyFile(), made->key);
    write(certificateFile(), made->certificate);
}

} // namespace redrive::test
