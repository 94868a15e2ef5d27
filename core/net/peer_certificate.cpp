#include "core/net/peer_certificate.h"

#include <ctime>
#include <openssl/ssl.h>
#include <openssl/x509.h>

namespace redrive {

PeerTls describePeer(const ssl_st* session)
{
    PeerTls tls;
    tls.version = QString::fromLatin1(SSL_get_version(session));
    tm end{};
    const X509* certificate = SSL_get0_peer_certificate(session);
    if (certificate && ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &end) == 1)
        tls.certificateExpiryMs = qint64(timegm(&end)) * 1000;
    return tls;
}

} // namespace redrive
