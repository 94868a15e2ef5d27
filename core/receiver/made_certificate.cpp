#include "core/receiver/made_certificate.h"

#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <ctime>
#include <memory>

namespace redrive {

namespace {

template <typename T, void (*release)(T*)>
struct Release
{
    void operator()(T* object) const { release(object); }
};
using Key = std::unique_ptr<EVP_PKEY, Release<EVP_PKEY, EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Release<X509, X509_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, Release<X509_EXTENSION, X509_EXTENSION_free>>;
using Text = std::unique_ptr<BIO, Release<BIO, BIO_free_all>>;

QByteArray bytesOf(BIO* text)
{
    char* data = nullptr;
    const long size = BIO_get_mem_data(text, &data);
    return {data, size};
}

bool fill(X509* certificate, EVP_PKEY* key, const CertificateWish& wish)
{
    X509_set_version(certificate, X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), long(std::time(nullptr)));
    X509_gmtime_adj(X509_getm_notBefore(certificate), wish.startsInSeconds);
    X509_gmtime_adj(X509_getm_notAfter(certificate), wish.endsInSeconds);
    X509_set_pubkey(certificate, key);
    X509_NAME* name = X509_get_subject_name(certificate);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>("redrive receiver"), -1, -1, 0);
    X509_set_issuer_name(certificate, name);
    const Extension names(X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, wish.name.constData()));
    return names && X509_add_ext(certificate, names.get(), -1) == 1 &&
           X509_sign(certificate, key, EVP_sha256()) > 0;
}

} // namespace

Result<MadeCertificate> makeCertificate(const CertificateWish& wish)
{
    const Key key(EVP_EC_gen("P-256"));
    const Certificate certificate(X509_new());
    const Text keyText(BIO_new(BIO_s_mem()));
    const Text certificateText(BIO_new(BIO_s_mem()));
    if (!key || !certificate || !fill(certificate.get(), key.get(), wish) ||
        PEM_write_bio_PrivateKey(keyText.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) != 1 ||
        PEM_write_bio_X509(certificateText.get(), certificate.get()) != 1)
        return fail(ErrorKind::Internal, u"the certificate cannot be made"_s);
    std::tm end{};
    ASN1_TIME_to_tm(X509_get0_notAfter(certificate.get()), &end);
    return MadeCertificate{bytesOf(certificateText.get()), bytesOf(keyText.get()),
                           qint64(timegm(&end)) * 1000};
}

} // namespace redrive
