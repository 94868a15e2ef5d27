#include "core/store/delivery_replay_store.h"

#include "core/domain/reason.h"
#include "core/store/row_values.h"

namespace redrive::delivery_replay_store {

namespace {

constexpr char kFind[] =
    "SELECT d.{rowkey}, d.status, d.reason, d.attempts, d.due_at_ms, d.resume_at_ms, d.replay_of, "
    "d.discarded, "
    "e.id FROM webhook_deliveries d LEFT JOIN webhook_events e ON e.id = d.event_id WHERE d.id = ?";
constexpr char kIsDelivered[] = "SELECT 1 FROM webhook_deliveries WHERE id = ? AND status = 'delivered'";
constexpr char kQueue[] =
    "UPDATE webhook_deliveries SET status = 'pending', reason = ?, due_at_ms = ?, replay_of = attempts, "
    "send_class = ?, resume_status = ?, resume_at_ms = ?, updated_at_ms = ? WHERE {rowkey} = ?";
constexpr char kQueueAfresh[] =
    "UPDATE webhook_deliveries SET status = 'pending', reason = ?, due_at_ms = ?, replay_of = attempts, "
    "send_class = ?, resume_status = NULL, resume_at_ms = NULL, spent = 0, updated_at_ms = ? WHERE {rowkey} "
    "= ?";
constexpr char kRequeueLetters[] = "UPDATE dead_letters SET state = 'requeued', changed_at_ms = ? "
                                   "WHERE subject_id = ? AND kind = 'delivery' AND state = 'open'";
constexpr char kFailedOfJob[] =
    "SELECT d.id FROM webhook_events e JOIN webhook_deliveries d ON d.event_id = e.id WHERE e.job_id = ? "
    "AND d.status IN ('failed', 'dead') AND d.discarded = 0 ORDER BY d.id";

void noteQueued(Cycle& cycle, const QString& id)
{
    cycle.lookAtDeliveries = true;
    cycle.changes.deliveries = true;
    cycle.changes.touch(id);
}

} // namespace

Result<std::optional<ReplayCandidate>> find(Connection& db, const QString& deliveryId)
{
    auto query = db.query(kFind);
    query.bind(deliveryId);
    std::optional<ReplayCandidate> found;
    if (query.next()) {
        found.emplace();
        found->rowKey = query.int64(0);
        found->id = deliveryId;
        found->status = deliveryStatusFrom(query.text(1)).value_or(DeliveryStatus::Pending);
        found->reason = query.text(2);
        found->attempts = countOf(query, 3);
        found->dueAtMs = query.optInt64(4);
        found->heldDueAtMs = query.optInt64(5);
        found->replayWished = !query.isNull(6);
        found->discarded = query.int64(7) != 0;
        found->hasEvent = !query.isNull(8);
    }
    REDRIVE_TRY(query.status());
    return found;
}

Result<bool> isDelivered(Connection& db, const QString& deliveryId)
{
    auto query = db.query(kIsDelivered);
    query.bind(deliveryId);
    const bool found = query.next();
    REDRIVE_TRY(query.status());
    return found;
}

Status queue(Cycle& cycle, const ReplayCandidate& delivery, SendClass sendClass)
{
    const bool held = delivery.status == DeliveryStatus::Held;
    auto query = cycle.db.query(kQueue);
    query.bind(QString(reason::kReplay)).bind(cycle.nowMs).bind(int(sendClass)).bind(toText(delivery.status));
    query.bind(held ? delivery.heldDueAtMs : delivery.dueAtMs).bind(cycle.nowMs);
    REDRIVE_TRY(query.bind(delivery.rowKey).run());
    noteQueued(cycle, delivery.id);
    return {};
}

Status queueAfresh(Cycle& cycle, const ReplayCandidate& delivery, SendClass sendClass)
{
    auto query = cycle.db.query(kQueueAfresh);
    query.bind(QString(reason::kReplay)).bind(cycle.nowMs).bind(int(sendClass)).bind(cycle.nowMs);
    REDRIVE_TRY(query.bind(delivery.rowKey).run());
    auto letters = cycle.db.query(kRequeueLetters);
    REDRIVE_ASSIGN(requeued, letters.bind(cycle.nowMs).bind(delivery.id).run());
    cycle.changes.letters = cycle.changes.letters || requeued > 0;
    noteQueued(cycle, delivery.id);
    return {};
}

Result<QStringList> failedOfJob(Connection& db, const QString& jobId)
{
    auto query = db.query(kFailedOfJob);
    query.bind(jobId);
    QStringList found;
    while (query.next())
        found.append(query.text(0));
    REDRIVE_TRY(query.status());
    return found;
}

} // namespace redrive::delivery_replay_store
