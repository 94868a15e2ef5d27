// Idempotency keys of the HTTP interface: kept 24 h per route and token. Inside a turn's transaction.
#pragma once

#include "core/store/cycle.h"

namespace redrive {

struct IdempotencyKey
{
    QString route;
    QString token;  // which token was used, whatever its secret is by now; empty without one
    QByteArray key; // compared byte for byte
    QByteArray bodySha256;
};

struct RememberedKey
{
    QByteArray bodySha256;
    QStringList ids; // of what was made
};

namespace idempotency_store {

inline constexpr qint64 kKeptMs = 86'400'000;

// Keys older than 24 h are as if they had not been.
Result<std::optional<RememberedKey>> find(Cycle& cycle, const IdempotencyKey& key);
Status remember(Cycle& cycle, const IdempotencyKey& key, const QStringList& ids);
// Deletes up to `limit` keys past their time.
Result<qint64> prune(Cycle& cycle, int limit);

} // namespace idempotency_store
} // namespace redrive
