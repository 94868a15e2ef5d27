// Tokens of the HTTP interface. Plain values; any thread. Times are unix milliseconds.
#pragma once

#include <QByteArray>
#include <QString>

#include <optional>

namespace redrive {

// What a token opens: all that needs one, or POST /ingest and its like alone.
enum class TokenScope { Everything, Ingest };

struct TokenRow
{
    qint64 no = 0;
    QString name;
    std::optional<double> ratePerSecond; // requests; nothing: what the configuration says
    qint64 createdAtMs = 0;
    QString createdBy;
    std::optional<qint64> revokedAtMs;
    std::optional<qint64> lastUsedAtMs;     // to five minutes
    std::optional<qint64> secretAtMs;       // when its newest secret was made
    std::optional<qint64> oldSecretUntilMs; // while an older one is still accepted
    TokenScope opens = TokenScope::Everything;
    bool isKept = false; // its secret stands in a file: made at the first start, and not rotated since
};

// What opens the door: one secret of a token that is not revoked.
struct TokenSecret
{
    QByteArray sha256;
    qint64 tokenNo = 0;
    std::optional<qint64> validUntilMs;
    std::optional<double> ratePerSecond;
    TokenScope opens = TokenScope::Everything;
};

enum class TokenVerb { Create, Rotate, Revoke, Show };

struct TokenChange
{
    TokenVerb verb = TokenVerb::Create;
    QString name;
    std::optional<double> ratePerSecond; // Create
    qint64 overlapMs = 0;                // Rotate: how long the older secret is still accepted
    QString actor;
    QString source;                            // console or command line
    TokenScope opens = TokenScope::Everything; // Create
};

struct TokenChanged
{
    QString name;
    QString secret;                         // shown once, unless it is kept; empty after Revoke
    std::optional<qint64> oldSecretUntilMs; // after Rotate
};

inline constexpr qint64 kLongestOverlapMs = 30 * 86'400'000LL;
inline constexpr qint64 kDefaultOverlapMs = 86'400'000;
inline constexpr double kHighestRate = 1'000'000;

} // namespace redrive
