#include "tests/support/test_certificate.h"

#include <QFile>

#include <ctime>
#include <memory>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdexcept>

namespace redrive::test {

namespace {

void check(bool good, const char* what)
{
    if (!good)
        throw std::runtime_error(what);
}

void write(const QString& path, BIO* text)
{
    char* data = nullptr;
    const long size = BIO_get_mem_data(text, &data);
    QFile file(path);
    check(file.open(QIODevice::WriteOnly) && file.write(data, size) == size, "PEM file");
}

} // namespace

TestCertificate::TestCertificate(const TlsIdentity& identity, const QString& folder) : m_folder(folder)
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

    const std::unique_ptr<BIO, decltype(&BIO_free)> text(BIO_new(BIO_s_mem()), &BIO_free);
    check(PEM_write_bio_PrivateKey(text.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1, "PEM");
    write(keyFile(), text.get());
    const std::unique_ptr<BIO, decltype(&BIO_free)> other(BIO_new(BIO_s_mem()), &BIO_free);
    check(PEM_write_bio_X509(other.get(), certificate.get()) == 1, "PEM");
    write(certificateFile(), other.get());
}

} // namespace redrive::test
