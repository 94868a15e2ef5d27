#include "core/store/job_store.h"

namespace redrive::job_store {

namespace {

constexpr char kInsert[] =
    "INSERT INTO jobs (id, type, status, payload, created_at, updated_at, queue, due_at_ms, "
    "created_at_ms, updated_at_ms, reason) "
    "VALUES (?, ?, 'pending', {exact:?}, ?, ?, ?, ?, ?, ?, ?)";
constexpr char kClaim[] =
    "UPDATE jobs SET status = 'processing', attempts = ?, due_at_ms = NULL, reason = NULL, "
    "updated_at = ?, updated_at_ms = ? WHERE id = ? AND status = 'pending' AND run = ?";
// What is done, dead or cancelled stays so, whoever comes late.
#define REDRIVE_STILL_OPEN "AND status IN ('pending', 'processing')"
constexpr char kFinish[] =
    "UPDATE jobs SET status = 'done', attempts = ?, error = NULL, reason = NULL, "
    "due_at_ms = NULL, updated_at = ?, updated_at_ms = ? WHERE id = ? " REDRIVE_STILL_OPEN;
constexpr char kRetry[] =
    "UPDATE jobs SET status = 'pending', attempts = ?, due_at_ms = ?, error = ?, reason = ?, "
    "updated_at = ?, updated_at_ms = ? WHERE id = ? " REDRIVE_STILL_OPEN;
constexpr char kDie[] =
    "UPDATE jobs SET status = 'dead', attempts = ?, crashes = ?, due_at_ms = NULL, error = ?, reason = ?, "
    "updated_at = ?, updated_at_ms = ? WHERE id = ? " REDRIVE_STILL_OPEN;
constexpr char kCancel[] =
    "UPDATE jobs SET status = 'cancelled', due_at_ms = NULL, error = COALESCE(?, error), reason = ?, "
    "updated_at = ?, updated_at_ms = ? WHERE id = ? " REDRIVE_STILL_OPEN;
#undef REDRIVE_STILL_OPEN
constexpr char kGiveBack[] =
    "UPDATE jobs SET status = 'pending', attempts = ?, crashes = ?, error = COALESCE(?, error), "
    "reason = ?, updated_at = ?, updated_at_ms = ? WHERE id = ? AND status = 'processing'";
constexpr char kAttempt[] = "INSERT INTO job_attempts (job_id, run, attempt, instance_no, started_at_ms, "
                            "finished_at_ms, outcome, error, next_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) "
                            "ON CONFLICT (job_id, run, attempt) DO NOTHING";
constexpr char kNote[] = "UPDATE job_attempts SET error = coalesce(nullif(error, '') || char(10), '') || ? "
                         "WHERE job_id = ? AND run = ? AND attempt = ?";
constexpr char kResult[] =
    "INSERT INTO job_results (job_id, run, content, created_at_ms) VALUES (?, ?, {exact:?}, ?) "
    "ON CONFLICT (job_id, run) DO UPDATE SET content = excluded.content";

} // namespace

Status insert(Cycle& cycle, const NewJob& job)
{
    auto query = cycle.db.query(kInsert);
    query.bind(job.id).bind(job.type).bind(job.payload).bind(cycle.nowSeconds()).bind(cycle.nowSeconds());
    query.bind(job.queue).bind(job.dueAtMs).bind(cycle.nowMs).bind(cycle.nowMs);
    query.bindTextOrNull(job.dueAtMs ? u"delayed"_s : QString());
    REDRIVE_TRY(query.run());
    cycle.changes.jobs = true;
    return {};
}

Result<bool> claim(Cycle& cycle, const QString& id, int run, int attempt)
{
    auto query = cycle.db.query(kClaim);
    query.bind(attempt).bind(cycle.nowSeconds()).bind(cycle.nowMs).bind(id).bind(run);
    REDRIVE_ASSIGN(rows, query.run());
    cycle.changes.jobs = true;
    cycle.changes.touch(id);
    return rows == 1;
}

Status finish(Cycle& cycle, const QString& id, int attempt)
{
    auto query = cycle.db.query(kFinish);
    query.bind(attempt).bind(cycle.nowSeconds()).bind(cycle.nowMs).bind(id);
    REDRIVE_TRY(query.run());
    cycle.changes.jobs = true;
    cycle.changes.touch(id);
    return {};
}

Status waitForRetry(Cycle& cycle, const QString& id, int attempt, qint64 dueAtMs, const QString& error,
                    const QString& reason)
{
    auto query = cycle.db.query(kRetry);
    query.bind(attempt).bind(dueAtMs).bindTextOrNull(error).bindTextOrNull(reason);
    query.bind(cycle.nowSeconds()).bind(cycle.nowMs).bind(id);
    REDRIVE_TRY(query.run());
    cycle.changes.jobs = true;
    cycle.changes.touch(id);
    return {};
}

Status die(Cycle& cycle, const QString& id, int attempt, int crashes, const QString& error,
           const QString& reason)
{
    auto query = cycle.db.query(kDie);
    query.bind(attempt)
        .bind(crashes)
        .bindTextOrNull(error)
        .bind(reason)
        .bind(cycle.nowSeconds())
        .bind(cycle.nowMs)
        .bind(id);
    REDRIVE_TRY(query.run());
    cycle.changes.jobs = true;
    cycle.changes.touch(id);
    return {};
}

Status cancel(Cycle& cycle, const QString& id, const QString& error, const QString& reason)
{
    auto query = cycle.db.query(kCancel);
    query.bindTextOrNull(error).bind(reason).bind(cycle.nowSeconds()).bind(cycle.nowMs).bind(id);
    REDRIVE_TRY(query.run());
    cycle.changes.jobs = true;
    cycle.changes.touch(id);
    return {};
}

Status giveBack(Cycle& cycle, const QString& id, int attempts, int crashes, const QString& error,
                const QString& reason)
{
    auto query = cycle.db.query(kGiveBack);
    query.bind(attempts).bind(crashes).bindTextOrNull(error).bindTextOrNull(reason);
    query.bind(cycle.nowSeconds()).bind(cycle.nowMs).bind(id);
    REDRIVE_TRY(query.run());
    cycle.changes.jobs = true;
    cycle.changes.touch(id);
    return {};
}

Status recordAttempt(Cycle& cycle, const AttemptRecord& record)
{
    auto query = cycle.db.query(kAttempt);
    query.bind(record.jobId)
        .bind(record.run)
        .bind(record.attempt)
        .bind(record.instanceNo)
        .bind(record.startedAtMs);
    query.bind(cycle.nowMs).bind(record.outcome).bindTextOrNull(record.error).bind(record.nextAtMs);
    REDRIVE_TRY(query.run());
    return {};
}

Status noteOnAttempt(Cycle& cycle, const QString& id, int run, int attempt, const QString& note)
{
    auto query = cycle.db.query(kNote);
    REDRIVE_TRY(query.bind(note).bind(id).bind(run).bind(attempt).run());
    cycle.changes.jobs = true;
    cycle.changes.touch(id);
    return {};
}

Status storeResult(Cycle& cycle, const QString& id, int run, const QByteArray& content)
{
    auto query = cycle.db.query(kResult);
    query.bind(id).bind(run).bind(content).bind(cycle.nowMs);
    REDRIVE_TRY(query.run());
    return {};
}

} // namespace redrive::job_store
