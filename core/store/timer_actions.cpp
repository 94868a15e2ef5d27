#include "core/store/timer_actions.h"

namespace redrive::timer_actions {

namespace {

constexpr char kJobDue[] =
    "UPDATE jobs SET due_at_ms = NULL, reason = NULL, updated_at = ?, updated_at_ms = ? "
    "WHERE id = ? AND status = 'pending'";
constexpr char kMessageDue[] =
    "UPDATE messages SET visible_at_ms = ?, urgent = 1 WHERE id = ? AND lease_instance IS NULL";
constexpr char kMissingMessage[] =
    "INSERT INTO messages (id, queue, is_job, size, sent_at_ms, visible_at_ms, attempts, crashes, urgent) "
    "SELECT id, ?, 1, COALESCE(LENGTH({bytes:payload}), 0), ?, ?, attempts, crashes, 1 FROM jobs WHERE id = "
    "?";
constexpr char kDeliveryDue[] = "UPDATE webhook_deliveries SET due_at_ms = ?, updated_at_ms = ? "
                                "WHERE id = ? AND status IN ('pending', 'failed')";
constexpr char kPostponeJob[] = "UPDATE jobs SET due_at_ms = ?, updated_at = ?, updated_at_ms = ? "
                                "WHERE id = ? AND status = 'pending' AND due_at_ms IS NOT NULL";
constexpr char kPostponeMessage[] =
    "UPDATE messages SET visible_at_ms = ?, urgent = 0 WHERE id = ? AND lease_instance IS NULL";

} // namespace

Status runJobNow(Cycle& cycle, const ActionSubject& subject)
{
    auto job = cycle.db.query(kJobDue);
    job.bind(cycle.nowSeconds()).bind(cycle.nowMs).bind(subject.id);
    REDRIVE_TRY(job.run());
    cycle.changes.jobs = true;
    if (subject.message)
        return runMessageNow(cycle, subject.id, subject.message->queue);
    auto message = cycle.db.query(kMissingMessage);
    message.bind(subject.job->queue).bind(cycle.nowMs).bind(cycle.nowMs).bind(subject.id);
    REDRIVE_TRY(message.run());
    cycle.queuesToLook.insert(subject.job->queue);
    cycle.changes.touch(subject.id);
    return {};
}

Status runMessageNow(Cycle& cycle, const QString& id, const QString& queue)
{
    auto query = cycle.db.query(kMessageDue);
    query.bind(cycle.nowMs).bind(id);
    REDRIVE_TRY(query.run());
    cycle.queuesToLook.insert(queue);
    cycle.changes.queues = true;
    cycle.changes.touch(id);
    return {};
}

Status runDeliveryNow(Cycle& cycle, const QString& id)
{
    return postponeDelivery(cycle, id, cycle.nowMs);
}

Status postponeJob(Cycle& cycle, const ActionSubject& subject, qint64 dueAtMs)
{
    auto query = cycle.db.query(kPostponeJob);
    query.bind(dueAtMs).bind(cycle.nowSeconds()).bind(cycle.nowMs).bind(subject.id);
    REDRIVE_TRY(query.run());
    cycle.changes.jobs = true;
    cycle.changes.touch(subject.id);
    return subject.message ? postponeMessage(cycle, subject.id, subject.message->queue, dueAtMs) : Status();
}

Status postponeMessage(Cycle& cycle, const QString& id, const QString& queue, qint64 dueAtMs)
{
    auto query = cycle.db.query(kPostponeMessage);
    query.bind(dueAtMs).bind(id);
    REDRIVE_TRY(query.run());
    cycle.queuesToLook.insert(queue);
    cycle.changes.queues = true;
    cycle.changes.touch(id);
    return {};
}

Status postponeDelivery(Cycle& cycle, const QString& id, qint64 dueAtMs)
{
    auto query = cycle.db.query(kDeliveryDue);
    query.bind(dueAtMs).bind(cycle.nowMs).bind(id);
    REDRIVE_TRY(query.run());
    cycle.lookAtDeliveries = true;
    cycle.changes.deliveries = true;
    cycle.changes.touch(id);
    return {};
}

} // namespace redrive::timer_actions
