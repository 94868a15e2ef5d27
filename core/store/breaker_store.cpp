#include "core/store/breaker_store.h"

namespace redrive::breaker_store {

namespace {

constexpr char kAll[] = "SELECT endpoint_id, opened_at_ms, open_until_ms, openings FROM endpoint_breakers "
                        "ORDER BY opened_at_ms DESC, endpoint_id LIMIT ?";
constexpr char kCount[] = "SELECT count(*) FROM endpoint_breakers";
constexpr char kKeep[] =
    "INSERT INTO endpoint_breakers (endpoint_id, opened_at_ms, open_until_ms, openings) VALUES (?, ?, ?, ?) "
    "ON CONFLICT (endpoint_id) DO UPDATE SET open_until_ms = excluded.open_until_ms, "
    "openings = excluded.openings";
constexpr char kRemove[] = "DELETE FROM endpoint_breakers WHERE endpoint_id = ?";
constexpr char kRemoveForgotten[] =
    "DELETE FROM endpoint_breakers WHERE open_until_ms < ? AND NOT EXISTS (SELECT 1 FROM webhook_deliveries "
    "d "
    "WHERE d.endpoint_id = endpoint_breakers.endpoint_id AND d.due_at_ms IS NOT NULL)";

} // namespace

Result<QList<OpenBreaker>> all(Connection& db, int limit)
{
    auto query = db.query(kAll);
    query.bind(limit);
    QList<OpenBreaker> found;
    while (query.next())
        found.append({query.text(0), query.int64(1), query.int64(2), int(query.int64(3))});
    REDRIVE_TRY(query.status());
    return found;
}

Result<qint64> count(Connection& db)
{
    auto query = db.query(kCount);
    const qint64 found = query.next() ? query.int64(0) : 0;
    REDRIVE_TRY(query.status());
    return found;
}

Status keep(Cycle& cycle, const OpenBreaker& breaker)
{
    auto query = cycle.db.query(kKeep);
    query.bind(breaker.endpointId).bind(breaker.openedAtMs).bind(breaker.openUntilMs);
    REDRIVE_TRY(query.bind(breaker.openings).run());
    cycle.changes.deliveries = true;
    return {};
}

Status remove(Cycle& cycle, const QString& endpointId)
{
    auto query = cycle.db.query(kRemove);
    REDRIVE_TRY(query.bind(endpointId).run());
    cycle.changes.deliveries = true;
    return {};
}

Status removeForgotten(Cycle& cycle, qint64 beforeMs)
{
    auto query = cycle.db.query(kRemoveForgotten);
    REDRIVE_TRY(query.bind(beforeMs).run());
    return {};
}

} // namespace redrive::breaker_store
