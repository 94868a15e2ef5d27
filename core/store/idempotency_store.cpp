#include "core/store/idempotency_store.h"

namespace redrive::idempotency_store {

namespace {

constexpr char kFind[] = "SELECT body_sha256, job_id FROM idempotency_keys "
                         "WHERE route = ? AND token = ? AND key = ? AND created_at_ms > ?";
constexpr char kRemember[] = "INSERT INTO idempotency_keys (route, token, key, body_sha256, job_id, "
                             "created_at_ms) VALUES (?, ?, ?, ?, ?, ?) "
                             "ON CONFLICT (route, token, key) DO UPDATE SET body_sha256 = "
                             "excluded.body_sha256, job_id = excluded.job_id, "
                             "created_at_ms = excluded.created_at_ms";
constexpr char kPrune[] = "DELETE FROM idempotency_keys WHERE (route, token, key) IN "
                          "(SELECT route, token, key FROM idempotency_keys WHERE created_at_ms <= ? LIMIT ?)";

} // namespace

Result<std::optional<RememberedKey>> find(Cycle& cycle, const IdempotencyKey& key)
{
    auto query = cycle.db.query(kFind);
    query.bind(key.route).bind(key.token).bind(key.key).bind(cycle.nowMs - kKeptMs);
    std::optional<RememberedKey> found;
    if (query.next())
        found = RememberedKey{query.bytes(0), query.text(1).split(u' ')};
    REDRIVE_TRY(query.status());
    return found;
}

Status remember(Cycle& cycle, const IdempotencyKey& key, const QStringList& ids)
{
    auto query = cycle.db.query(kRemember);
    query.bind(key.route).bind(key.token).bind(key.key).bind(key.bodySha256);
    query.bind(ids.join(u' ')).bind(cycle.nowMs); // ids hold no spaces
    REDRIVE_TRY(query.run());
    return {};
}

Result<qint64> prune(Cycle& cycle, int limit)
{
    auto query = cycle.db.query(kPrune);
    query.bind(cycle.nowMs - kKeptMs).bind(limit);
    return query.run();
}

} // namespace redrive::idempotency_store
