#include "core/store/sweep_store.h"

#include "core/domain/reason.h"
#include "core/store/row_values.h"

namespace redrive::sweep_store {

namespace {

// The status stands in the text, so that the partial index over open jobs is used.
#define REDRIVE_OPEN_JOBS(status)                                                                            \
    "SELECT j.id, j.type, COALESCE(j.queue, ''), j.run, j.attempts, COALESCE(length({bytes:j.payload}), "    \
    "0), "                                                                                                   \
    "j.due_at_ms, COALESCE(j.updated_at_ms, j.updated_at * 1000), m.seq, m.lease_instance IS NOT NULL, "     \
    "j.crashes "                                                                                             \
    "FROM jobs j LEFT JOIN messages m ON m.id = j.id "                                                       \
    "WHERE j.status = '" status "' AND j.id > ? ORDER BY j.id LIMIT ?"
constexpr char kPending[] = REDRIVE_OPEN_JOBS("pending");
constexpr char kProcessing[] = REDRIVE_OPEN_JOBS("processing");
#undef REDRIVE_OPEN_JOBS
constexpr char kSetCrashes[] = "UPDATE messages SET crashes = ? WHERE id = ?";
constexpr char kSetQueue[] = "UPDATE jobs SET queue = ? WHERE id = ?";
constexpr char kBack[] = "UPDATE jobs SET status = 'pending', attempts = ?, due_at_ms = NULL, reason = ?, "
                         "updated_at = ?, updated_at_ms = ? WHERE id = ? AND status = 'processing'";
constexpr char kShow[] =
    "UPDATE messages SET visible_at_ms = ?, attempts = ? WHERE seq = ? AND lease_instance IS NULL";
constexpr char kHeld[] =
    "SELECT m.seq, m.queue, CASE WHEN m.lease_instance IS NULL OR EXISTS (SELECT 1 FROM instances i "
    "WHERE i.no = m.lease_instance AND i.ended_at_ms IS NULL) THEN 0 ELSE 1 END "
    "FROM messages m WHERE m.seq > ? ORDER BY m.seq LIMIT ?";
constexpr char kFree[] = "UPDATE messages SET lease_instance = NULL, claim_no = NULL, claimed_at_ms = NULL, "
                         "urgent = 1 WHERE seq = ?";
constexpr char kRecord[] =
    "INSERT INTO sweeps (started_at_ms, finished_at_ms, cause, published, rescued, unrescuable) "
    "VALUES (?, ?, ?, ?, ?, ?)";

} // namespace

Result<QList<SweepCandidate>> openJobs(Connection& db, OpenStatus status, const QString& afterId, int limit)
{
    auto query = db.query(status == OpenStatus::Pending ? kPending : kProcessing);
    query.bind(afterId).bind(limit);
    QList<SweepCandidate> jobs;
    while (query.next()) {
        SweepCandidate job;
        job.id = query.text(0);
        job.type = query.text(1);
        job.queue = query.text(2);
        job.run = countOf(query, 3);
        job.attempts = countOf(query, 4);
        job.payloadBytes = query.int64(5);
        job.dueAtMs = query.optInt64(6);
        job.updatedAtMs = query.int64(7);
        job.messageSeq = query.optInt64(8);
        job.leased = query.int64(9) != 0;
        job.crashes = countOf(query, 10);
        jobs.append(std::move(job));
    }
    REDRIVE_TRY(query.status());
    return jobs;
}

Result<HeldPage> heldByNobody(Connection& db, qint64 afterSeq, int limit)
{
    auto query = db.query(kHeld);
    query.bind(afterSeq).bind(limit);
    HeldPage page;
    int rows = 0;
    while (query.next()) {
        ++rows;
        page.lastSeq = query.int64(0);
        if (query.int64(2) != 0)
            page.messages.append({page.lastSeq, query.text(1)});
    }
    REDRIVE_TRY(query.status());
    page.last = rows < limit;
    return page;
}

Status freeMessage(Cycle& cycle, qint64 seq)
{
    auto query = cycle.db.query(kFree);
    query.bind(seq);
    REDRIVE_TRY(query.run());
    return {};
}

Status setCrashes(Cycle& cycle, const QString& jobId, int crashes)
{
    auto query = cycle.db.query(kSetCrashes);
    query.bind(crashes).bind(jobId);
    REDRIVE_TRY(query.run());
    return {};
}

Status setQueue(Cycle& cycle, const QString& jobId, const QString& queue)
{
    auto query = cycle.db.query(kSetQueue);
    query.bind(queue).bind(jobId);
    REDRIVE_TRY(query.run());
    return {};
}

Status backToPending(Cycle& cycle, const QString& jobId, int attempts)
{
    auto query = cycle.db.query(kBack);
    query.bind(attempts).bind(reason::kRescued).bind(cycle.nowSeconds()).bind(cycle.nowMs).bind(jobId);
    REDRIVE_TRY(query.run());
    cycle.changes.jobs = true;
    cycle.changes.touch(jobId);
    return {};
}

Status showMessageNow(Cycle& cycle, qint64 seq, int attempts)
{
    auto query = cycle.db.query(kShow);
    query.bind(cycle.nowMs).bind(attempts).bind(seq);
    REDRIVE_TRY(query.run());
    return {};
}

Status record(Cycle& cycle, const SweepRecord& sweep)
{
    auto query = cycle.db.query(kRecord);
    query.bind(sweep.startedAtMs)
        .bind(cycle.nowMs)
        .bind(sweep.cause)
        .bind(sweep.published)
        .bind(sweep.rescued);
    query.bind(sweep.unrescuable);
    REDRIVE_TRY(query.run());
    return {};
}

} // namespace redrive::sweep_store
