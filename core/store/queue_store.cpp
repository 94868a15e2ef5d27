#include "core/store/queue_store.h"

namespace redrive::queue_store {

namespace {

constexpr char kEnsure[] =
    "INSERT INTO queues (name, paused_at_ms, paused_by, delivery_delay_ms, retention_ms, "
    "created_at_ms) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO NOTHING";
constexpr char kAll[] =
    "SELECT name, paused_at_ms, COALESCE(paused_by, ''), delivery_delay_ms, retention_ms FROM queues";

} // namespace

Status ensure(Cycle& cycle, const QueueRow& row)
{
    auto query = cycle.db.query(kEnsure);
    query.bind(row.name).bind(row.pausedAtMs).bindTextOrNull(row.pausedBy).bind(row.deliveryDelayMs);
    query.bind(row.retentionMs).bind(cycle.nowMs);
    REDRIVE_TRY(query.run());
    return {};
}

Result<QHash<QString, QueueRow>> all(Connection& db)
{
    auto query = db.query(kAll);
    QHash<QString, QueueRow> rows;
    while (query.next())
        rows.insert(query.text(0),
                    {query.text(0), query.optInt64(1), query.text(2), query.optInt64(3), query.optInt64(4)});
    REDRIVE_TRY(query.status());
    return rows;
}

} // namespace redrive::queue_store
