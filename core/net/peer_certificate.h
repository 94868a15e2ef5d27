// What an established TLS connection says about itself. Any thread that owns the session.
#pragma once

#include <QString>

#include <optional>

struct ssl_st; // OpenSSL's SSL

namespace redrive {

struct PeerTls
{
    QString version;                           // "TLSv1.3"
    std::optional<qint64> certificateExpiryMs; // unix ms, of the peer's own certificate
};

PeerTls describePeer(const ssl_st* session);

} // namespace redrive
