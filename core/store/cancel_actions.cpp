#include "core/store/cancel_actions.h"

#include "core/domain/reason.h"
#include "core/store/instance_store.h"
#include "core/store/job_store.h"

#include <vector>

namespace redrive::cancel_actions {

namespace {

// Each part by an index over what is open: history costs nothing.
constexpr char kCancellable[] =
    "SELECT id FROM jobs WHERE status = 'pending' OR status = 'processing' UNION ALL "
    "SELECT e.job_id FROM ("
    "SELECT event_id FROM webhook_deliveries WHERE due_at_ms IS NOT NULL AND "
    "status IN ('pending', 'sending', 'failed') UNION ALL "
    "SELECT event_id FROM webhook_deliveries WHERE instance_no IS NOT NULL AND "
    "status IN ('pending', 'sending', 'failed') UNION ALL "
    "SELECT event_id FROM webhook_deliveries WHERE due_at_ms IS NULL AND instance_no IS NULL AND "
    "(status = 'pending' OR status = 'sending' OR status = 'failed') UNION ALL "
    "SELECT event_id FROM webhook_deliveries WHERE status = 'held') d "
    "JOIN webhook_events e ON e.id = d.event_id";
constexpr char kHolder[] =
    "SELECT m.lease_instance, m.claim_no IS NOT NULL, m.claimed_at_ms, m.attempts, COALESCE(j.run, 1) "
    "FROM messages m LEFT JOIN jobs j ON j.id = m.id WHERE m.id = ?";
constexpr char kAskRunning[] = "UPDATE messages SET stop_asked_ms = COALESCE(stop_asked_ms, ?) "
                               "WHERE id = ? AND claim_no IS NOT NULL";
constexpr char kRemoveMessage[] = "DELETE FROM messages WHERE id = ?";
constexpr char kOpenOfJob[] =
    "SELECT d.{rowkey}, d.id, d.status, d.instance_no, d.attempts FROM webhook_events e "
    "JOIN webhook_deliveries d ON d.event_id = e.id WHERE e.job_id = ? "
    "AND d.status IN ('pending', 'sending', 'failed', 'held') ORDER BY d.id";
constexpr char kOpen[] = "SELECT d.{rowkey}, d.id, d.status, d.instance_no, d.attempts "
                         "FROM webhook_deliveries d WHERE d.id = ? "
                         "AND d.status IN ('pending', 'sending', 'failed', 'held')";
constexpr char kAskSending[] = "UPDATE webhook_deliveries SET stop_asked_ms = COALESCE(stop_asked_ms, ?) "
                               "WHERE {rowkey} = ? AND status = 'sending'";
constexpr char kInterrupt[] =
    "UPDATE delivery_attempts SET finished_at_ms = ?, outcome = 'interrupted', class = 'unknown', "
    "error_code = 'interrupted', error = ?, next_reason = ? "
    "WHERE delivery_id = ? AND attempt = ? AND outcome IS NULL";
constexpr char kEnd[] =
    "UPDATE webhook_deliveries SET "
    "status = CASE WHEN resume_status = 'delivered' THEN 'delivered' ELSE 'cancelled' END, "
    "reason = CASE WHEN resume_status = 'delivered' THEN NULL ELSE ? END, due_at_ms = NULL, replay_of = "
    "NULL, "
    "resume_status = NULL, resume_at_ms = NULL, instance_no = NULL, stop_asked_ms = NULL, updated_at_ms = ? "
    "WHERE {rowkey} = ? AND status IN ('pending', 'sending', 'failed', 'held')";

struct Holder
{
    qint64 instanceNo = 0;
    qint64 claimedAtMs = 0;
    int attempts = 0;
    int run = 1;
};

struct OpenDelivery
{
    qint64 rowKey = 0;
    QString id;
    bool sending = false;
    qint64 instanceNo = 0;
    qint64 attempt = 0;
};

// Of a claimed message; nothing: no work of it has begun.
Result<std::optional<Holder>> holderOf(Connection& db, const QString& id)
{
    auto query = db.query(kHolder);
    query.bind(id);
    std::optional<Holder> holder;
    if (query.next() && query.int64(1) != 0)
        holder = Holder{query.int64(0), query.int64(2), int(query.int64(3)), int(query.int64(4))};
    REDRIVE_TRY(query.status());
    return holder;
}

Result<std::vector<OpenDelivery>> openDeliveries(Query query, const QString& id)
{
    query.bind(id);
    std::vector<OpenDelivery> found;
    while (query.next())
        found.push_back(
            {query.int64(0), query.text(1), query.text(2) == u"sending", query.int64(3), query.int64(4)});
    REDRIVE_TRY(query.status());
    return found;
}

Result<bool> isHeld(Cycle& cycle, qint64 instanceNo)
{
    if (instanceNo != 0 && instanceNo == cycle.instanceNo)
        return true;
    return instance_store::lives(cycle.db, instanceNo, cycle.bootMs);
}

Status recordLost(Cycle& cycle, const QString& id, const Holder& holder)
{
    AttemptRecord record;
    record.jobId = id;
    record.run = holder.run;
    record.attempt = holder.attempts;
    record.instanceNo = holder.instanceNo;
    record.startedAtMs = holder.claimedAtMs;
    record.outcome = u"crashed"_s;
    record.error = u"the engine ended during the attempt"_s;
    return job_store::recordAttempt(cycle, record);
}

Status cancelOne(Cycle& cycle, const OpenDelivery& delivery)
{
    cycle.changes.deliveries = true;
    cycle.changes.touch(delivery.id);
    if (delivery.sending) {
        REDRIVE_ASSIGN(held, isHeld(cycle, delivery.instanceNo));
        if (held) {
            auto ask = cycle.db.query(kAskSending);
            REDRIVE_TRY(ask.bind(cycle.nowMs).bind(delivery.rowKey).run());
            cycle.stopsAsked = true;
            return {};
        }
        auto attempt = cycle.db.query(kInterrupt);
        attempt.bind(cycle.nowMs).bind(u"the engine ended before the answer was recorded"_s);
        attempt.bind(u"none: the delivery was cancelled"_s).bind(delivery.id).bind(delivery.attempt);
        REDRIVE_TRY(attempt.run());
    }
    return endDelivery(cycle, delivery.rowKey, delivery.id);
}

} // namespace

Result<QSet<QString>> cancellableJobs(Connection& db)
{
    QSet<QString> ids;
    auto query = db.query(kCancellable);
    while (query.next())
        ids.insert(query.text(0));
    REDRIVE_TRY(query.status());
    return ids;
}

Status cancelJob(Cycle& cycle, const QString& id)
{
    cycle.changes.jobs = true;
    cycle.changes.touch(id);
    REDRIVE_ASSIGN(holder, holderOf(cycle.db, id));
    if (holder) {
        REDRIVE_ASSIGN(held, isHeld(cycle, holder->instanceNo));
        if (held) {
            auto ask = cycle.db.query(kAskRunning);
            REDRIVE_TRY(ask.bind(cycle.nowMs).bind(id).run());
            cycle.stopsAsked = true;
            return {};
        }
        REDRIVE_TRY(recordLost(cycle, id, *holder));
    }
    REDRIVE_TRY(job_store::cancel(cycle, id, {}, reason::kCancelled));
    auto remove = cycle.db.query(kRemoveMessage);
    REDRIVE_TRY(remove.bind(id).run());
    cycle.changes.queues = true;
    return {};
}

Status cancelDeliveriesOf(Cycle& cycle, const QString& jobId)
{
    REDRIVE_ASSIGN(open, openDeliveries(cycle.db.query(kOpenOfJob), jobId));
    for (const OpenDelivery& delivery : open)
        REDRIVE_TRY(cancelOne(cycle, delivery));
    cycle.changes.touch(jobId);
    return {};
}

Status cancelDelivery(Cycle& cycle, const QString& id)
{
    REDRIVE_ASSIGN(open, openDeliveries(cycle.db.query(kOpen), id));
    for (const OpenDelivery& delivery : open)
        REDRIVE_TRY(cancelOne(cycle, delivery));
    return {};
}

Status endDelivery(Cycle& cycle, qint64 rowKey, const QString& id)
{
    auto end = cycle.db.query(kEnd);
    end.bind(QString(reason::kCancelled)).bind(cycle.nowMs).bind(rowKey);
    REDRIVE_TRY(end.run());
    cycle.changes.deliveries = true;
    cycle.changes.touch(id);
    cycle.lookAtDeliveries = true;
    return {};
}

} // namespace redrive::cancel_actions
