// What a TLS connection says about its peer. Any thread that owns the session.
#pragma once

#include <QString>

#include <optional>

struct ssl_st;     // OpenSSL's SSL
struct ssl_ctx_st; // and SSL_CTX

namespace redrive {

struct PeerTls
{
    QString version;                           // "TLSv1.3"
    std::optional<qint64> certificateExpiryMs; // unix ms, of the peer's own certificate
};

// Of an established connection.
PeerTls describePeer(const ssl_st* session);

// From now on a handshake writes into `expiryMs` when the peer's own certificate ends, before it is judged:
// so that of one that is refused is known as well. `expiryMs` stays valid until endNoting() or the context's
// end.
void noteExpiryInHandshake(ssl_ctx_st* context, std::optional<qint64>* expiryMs);
void endNoting(const ssl_st* session);

} // namespace redrive
