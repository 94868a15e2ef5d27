#include "core/store/delivery_hold_store.h"

#include "core/domain/reason.h"

namespace redrive::delivery_hold_store {

namespace {

constexpr char kHold[] =
    "UPDATE webhook_deliveries SET status = 'held', reason = ?, resume_at_ms = due_at_ms, due_at_ms = NULL, "
    "updated_at_ms = ? WHERE {rowkey} IN (SELECT {rowkey} FROM webhook_deliveries WHERE endpoint_id = ? "
    "AND due_at_ms IS NOT NULL AND replay_of IS NULL LIMIT ?)";
constexpr char kRelease[] =
    "UPDATE webhook_deliveries SET status = CASE WHEN attempts > 0 THEN 'failed' ELSE 'pending' END, "
    "reason = CASE WHEN attempts > 0 THEN 'retry' END, "
    "due_at_ms = CASE WHEN resume_at_ms > ? THEN resume_at_ms ELSE ? END, resume_at_ms = NULL, "
    "updated_at_ms = ? WHERE {rowkey} IN (SELECT {rowkey} FROM webhook_deliveries WHERE endpoint_id = ? "
    "AND status = 'held' AND reason <> ? LIMIT ?)";
constexpr char kNextHeld[] =
    "SELECT endpoint_id FROM webhook_deliveries WHERE endpoint_id > ? AND status = 'held' "
    "ORDER BY endpoint_id LIMIT 1";

constexpr char kOpen[] =
    "SELECT id FROM webhook_deliveries WHERE endpoint_id = ? AND due_at_ms IS NOT NULL UNION ALL "
    "SELECT id FROM webhook_deliveries WHERE endpoint_id = ? AND status = 'held' UNION ALL "
    "SELECT id FROM webhook_deliveries WHERE instance_no IS NOT NULL AND endpoint_id = ?";

constexpr char kGiveBack[] =
    "UPDATE webhook_deliveries SET spent = spent - 1, due_at_ms = ?, reason = ?, updated_at_ms = ? "
    "WHERE {rowkey} = ? AND attempts = ? AND status = 'failed' AND spent > 0 AND due_at_ms IS NOT NULL";

// A slice may hold more ids than a change set names.
void noteSlice(Cycle& cycle, qint64 changed)
{
    if (changed == 0)
        return;
    cycle.changes.deliveries = true;
    cycle.changes.everything = true;
}

} // namespace

Result<int> hold(Cycle& cycle, const QString& endpointId, const QString& reason, int limit)
{
    auto query = cycle.db.query(kHold);
    query.bind(reason).bind(cycle.nowMs).bind(endpointId).bind(limit);
    REDRIVE_ASSIGN(changed, query.run());
    noteSlice(cycle, changed);
    return int(changed);
}

Result<int> release(Cycle& cycle, const QString& endpointId, int limit)
{
    auto query = cycle.db.query(kRelease);
    query.bind(cycle.nowMs).bind(cycle.nowMs).bind(cycle.nowMs).bind(endpointId);
    query.bind(QString(reason::kHeldByPayload)).bind(limit);
    REDRIVE_ASSIGN(changed, query.run());
    noteSlice(cycle, changed);
    return int(changed);
}

Result<QStringList> openOf(Connection& db, const QString& endpointId)
{
    auto query = db.query(kOpen);
    query.bind(endpointId).bind(endpointId).bind(endpointId);
    QStringList found;
    while (query.next())
        found.append(query.text(0));
    REDRIVE_TRY(query.status());
    return found;
}

Result<QStringList> endpointsHeld(Connection& db)
{
    QStringList found;
    QString last;
    for (;;) {
        auto query = db.query(kNextHeld);
        query.bind(last);
        if (!query.next()) {
            REDRIVE_TRY(query.status());
            return found;
        }
        last = query.text(0);
        found.append(last);
    }
}

Status giveBack(Cycle& cycle, qint64 rowKey, int attempt)
{
    auto query = cycle.db.query(kGiveBack);
    query.bind(cycle.nowMs).bind(QString(reason::kOffline)).bind(cycle.nowMs).bind(rowKey).bind(attempt);
    REDRIVE_TRY(query.run());
    return {};
}

} // namespace redrive::delivery_hold_store
