#include "core/store/job_read_store.h"

#include "core/domain/attempts.h"
#include "core/store/row_values.h"

namespace redrive::job_read_store {

namespace {

// The payload is not among them: a list must not read it.
#define REDRIVE_JOB_COLUMNS                                                                                  \
    "SELECT {rowkey}, id, type, queue, status, reason, substr(error, 1, 300), run, attempts, crashes, "      \
    "due_at_ms, created_at_ms, created_at, updated_at_ms, updated_at, discarded, "                           \
    "parent_id, superseded_by FROM jobs WHERE "

constexpr char kByKey[] = REDRIVE_JOB_COLUMNS "{rowkey} = ?";
constexpr char kById[] = REDRIVE_JOB_COLUMNS "id = ?";
#undef REDRIVE_JOB_COLUMNS
constexpr char kDeliveries[] =
    "SELECT count(*), "
    "sum(CASE WHEN d.status IN ('delivered', 'dead', 'cancelled') THEN 0 ELSE 1 END), "
    "sum(CASE WHEN d.status = 'dead' AND d.discarded = 0 THEN 1 ELSE 0 END) "
    "FROM webhook_events e JOIN webhook_deliveries d ON d.event_id = e.id WHERE e.job_id = ?";
constexpr char kVersion[] = "SELECT id, status, created_at_ms, created_at, parent_id, superseded_by "
                            "FROM jobs WHERE id = ?";
constexpr char kPayloadSize[] = "SELECT length({bytes:payload}) FROM jobs WHERE id = ?";
constexpr char kAttempts[] = "SELECT run, attempt, started_at_ms, finished_at_ms, outcome, error, next_at_ms "
                             "FROM job_attempts WHERE job_id = ? ORDER BY run DESC, attempt DESC";
constexpr char kUnderWay[] =
    "SELECT attempts, claimed_at_ms FROM messages WHERE id = ? AND claimed_at_ms IS NOT NULL";
constexpr char kResult[] =
    "SELECT substr({bytes:content}, 1, 65536) FROM job_results WHERE job_id = ? ORDER BY run DESC LIMIT 1";
// The limits keep the inner selects apart, so that a large value is read once.
constexpr char kJobPayload[] = "SELECT length(b), substr(b, ?, ?) FROM "
                               "(SELECT {bytes:payload} AS b FROM jobs WHERE id = ? LIMIT 1) p";
constexpr char kMessageBody[] = "SELECT length(b), substr(b, ?, ?) FROM "
                                "(SELECT {bytes:body} AS b FROM messages WHERE id = ? LIMIT 1) p";
constexpr char kLetterBody[] =
    "SELECT length(b), substr(b, ?, ?) FROM "
    "(SELECT {bytes:body} AS b FROM dead_letters WHERE subject_id = ? ORDER BY no DESC LIMIT 1) p";

JobRow read(const Query& query, const QueueAttempts& attempts)
{
    JobRow row;
    row.key = query.int64(0);
    row.id = query.text(1);
    row.type = query.text(2);
    row.queue = query.text(3);
    const QString status = query.text(4);
    row.status = jobStatusFrom(status).value_or(JobStatus::Cancelled);
    if (!jobStatusFrom(status))
        row.otherStatus = status.isEmpty() ? u"(none)"_s : status;
    row.reason = query.text(5);
    row.error = query.text(6);
    row.run = countOf(query, 7);
    row.attempts = countOf(query, 8);
    row.crashes = countOf(query, 9);
    row.maxAttempts = attemptsGranted(attempts.value(row.queue), row.crashes);
    row.dueAtMs = query.optInt64(10);
    row.createdAtMs = rowTimeMs(query, 11, 12);
    row.updatedAtMs = rowTimeMs(query, 13, 14);
    row.discarded = query.int64(15) != 0;
    row.parentId = query.text(16);
    row.supersededBy = query.text(17);
    return row;
}

Status readDeliveries(Connection& db, JobRow& row)
{
    auto query = db.query(kDeliveries);
    query.bind(row.id);
    if (query.next()) {
        row.deliveries = int(query.int64(0));
        row.deliveriesOpen = int(query.int64(1));
        row.deliveriesDead = int(query.int64(2));
    }
    return query.status();
}

Result<std::optional<JobPayload>> piece(Query&& query, const QString& id, qint64 offset, qint64 bytes)
{
    query.bind(offset + 1).bind(bytes).bind(id);
    std::optional<JobPayload> payload;
    if (query.next())
        payload = JobPayload{query.bytes(1), query.int64(0)};
    REDRIVE_TRY(query.status());
    return payload;
}

} // namespace

Result<QList<JobRow>> rows(Connection& db, const std::vector<qint64>& keys, const QueueAttempts& attempts)
{
    QList<JobRow> found;
    found.reserve(qsizetype(keys.size()));
    for (const qint64 key : keys) {
        {
            auto query = db.query(kByKey);
            query.bind(key);
            if (query.next())
                found.append(read(query, attempts));
            REDRIVE_TRY(query.status());
        }
        if (!found.isEmpty() && found.last().key == key)
            REDRIVE_TRY(readDeliveries(db, found.last()));
    }
    return found;
}

Result<std::optional<JobRow>> row(Connection& db, const QString& id, const QueueAttempts& attempts)
{
    std::optional<JobRow> found;
    {
        auto query = db.query(kById);
        query.bind(id);
        if (query.next())
            found = read(query, attempts);
        REDRIVE_TRY(query.status());
    }
    if (!found)
        return found;
    REDRIVE_TRY(readDeliveries(db, *found));
    auto size = db.query(kPayloadSize);
    size.bind(id);
    if (size.next())
        found->payloadBytes = size.int64(0);
    REDRIVE_TRY(size.status());
    return found;
}

namespace {

struct Linked
{
    JobVersion version;
    QString parentId;
    QString supersededBy;
};

Result<std::optional<Linked>> versionOf(Connection& db, const QString& id)
{
    auto query = db.query(kVersion);
    query.bind(id);
    std::optional<Linked> found;
    if (query.next())
        found = Linked{{query.text(0), query.text(1), rowTimeMs(query, 2, 3), !query.text(5).isEmpty()},
                       query.text(4),
                       query.text(5)};
    REDRIVE_TRY(query.status());
    return found;
}

} // namespace

Result<QList<JobVersion>> versions(Connection& db, const QString& id)
{
    QList<JobVersion> found;
    REDRIVE_ASSIGN(self, versionOf(db, id));
    if (!self)
        return found;
    found.append(self->version);
    QString former = self->parentId;
    for (int i = 0; i < kMostVersions && !former.isEmpty(); ++i) {
        REDRIVE_ASSIGN(version, versionOf(db, former));
        if (!version)
            break; // retention took it
        found.prepend(version->version);
        former = version->parentId;
    }
    QString later = self->supersededBy;
    for (int i = 0; i < kMostVersions && !later.isEmpty(); ++i) {
        REDRIVE_ASSIGN(version, versionOf(db, later));
        if (!version)
            break;
        found.append(version->version);
        later = version->supersededBy;
    }
    return found;
}

Result<QList<JobAttempt>> attempts(Connection& db, const JobRow& job)
{
    QList<JobAttempt> attempts;
    if (job.status == JobStatus::Processing) {
        auto underWay = db.query(kUnderWay);
        underWay.bind(job.id);
        if (underWay.next())
            attempts.append({job.run, int(underWay.int64(0)), underWay.int64(1), {}, u"running"_s, {}, {}});
        REDRIVE_TRY(underWay.status());
    }
    auto query = db.query(kAttempts);
    query.bind(job.id);
    while (query.next())
        attempts.append({int(query.int64(0)), int(query.int64(1)), query.int64(2), query.optInt64(3),
                         query.text(4), query.text(5), query.optInt64(6)});
    REDRIVE_TRY(query.status());
    return attempts;
}

Result<QString> lastResult(Connection& db, const QString& id)
{
    auto query = db.query(kResult);
    query.bind(id);
    const QString result = query.next() ? QString::fromUtf8(query.bytes(0)) : QString();
    REDRIVE_TRY(query.status());
    return result;
}

Result<std::optional<JobPayload>> payload(Connection& db, const QString& id, qint64 offset, qint64 bytes)
{
    for (const char* statement : {kJobPayload, kMessageBody, kLetterBody}) {
        REDRIVE_ASSIGN(found, piece(db.query(statement), id, offset, bytes));
        if (found)
            return found;
    }
    return std::nullopt;
}

} // namespace redrive::job_read_store
