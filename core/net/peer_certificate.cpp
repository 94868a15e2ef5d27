#include "core/net/peer_certificate.h"

#include <ctime>
#include <openssl/ssl.h>
#include <openssl/x509.h>

namespace redrive {

namespace {

std::optional<qint64> expiryOf(const X509* certificate)
{
    tm end{};
    if (!certificate || ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &end) != 1)
        return std::nullopt;
    return qint64(timegm(&end)) * 1000;
}

int noteIndex()
{
    static const int index = SSL_CTX_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
    return index;
}

// Changes no verdict.
int onCertificate(int isGood, X509_STORE_CTX* check)
{
    const auto* session =
        static_cast<SSL*>(X509_STORE_CTX_get_ex_data(check, SSL_get_ex_data_X509_STORE_CTX_idx()));
    auto* expiryMs =
        static_cast<std::optional<qint64>*>(SSL_CTX_get_ex_data(SSL_get_SSL_CTX(session), noteIndex()));
    if (expiryMs)
        *expiryMs = expiryOf(X509_STORE_CTX_get0_cert(check));
    return isGood;
}

} // namespace

PeerTls describePeer(const ssl_st* session)
{
    return {QString::fromLatin1(SSL_get_version(session)), expiryOf(SSL_get0_peer_certificate(session))};
}

void noteExpiryInHandshake(ssl_ctx_st* context, std::optional<qint64>* expiryMs)
{
    if (SSL_CTX_set_ex_data(context, noteIndex(), expiryMs) == 1)
        SSL_CTX_set_verify(context, SSL_CTX_get_verify_mode(context), &onCertificate);
}

void endNoting(const ssl_st* session)
{
    SSL_CTX_set_ex_data(SSL_get_SSL_CTX(session), noteIndex(), nullptr);
}

} // namespace redrive
