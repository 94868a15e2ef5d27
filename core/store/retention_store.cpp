#include "core/store/retention_store.h"

#include "core/domain/dead_letter.h"

namespace redrive::retention_store {

namespace {

// Keys and times only: a row's payload is not read.
constexpr char kJobs[] =
    "SELECT {rowkey}, id, status, COALESCE(updated_at_ms, -1), COALESCE(created_at_ms, created_at * 1000) "
    "FROM jobs WHERE {rowkey} > ? ORDER BY {rowkey} LIMIT ?";
constexpr char kHasLetter[] =
    "SELECT 1 FROM dead_letters WHERE subject_id = ? AND state IN ('open', 'discarded') LIMIT 1";
constexpr char kHasMessage[] = "SELECT 1 FROM messages WHERE id = ?";
constexpr char kHasOpenDelivery[] =
    "SELECT 1 FROM webhook_events e JOIN webhook_deliveries d ON d.event_id = e.id WHERE e.job_id = ? "
    "AND d.status IN ('pending', 'sending', 'failed', 'held') LIMIT 1";
constexpr char kDeleteAttempts[] = "DELETE FROM job_attempts WHERE job_id = ?";
constexpr char kDeleteResults[] = "DELETE FROM job_results WHERE job_id = ?";
constexpr char kDeleteEventOfJob[] =
    "DELETE FROM webhook_events WHERE job_id = ? AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d "
    "WHERE d.event_id = webhook_events.id)";
constexpr char kDeleteJob[] = "DELETE FROM jobs WHERE id = ?";

constexpr char kDeliveries[] =
    "SELECT {rowkey}, id, status, COALESCE(updated_at_ms, -1), COALESCE(created_at_ms, created_at * 1000), "
    "COALESCE(event_id, '') FROM webhook_deliveries WHERE {rowkey} > ? ORDER BY {rowkey} LIMIT ?";
constexpr char kDeleteDeliveryAttempts[] = "DELETE FROM delivery_attempts WHERE delivery_id = ?";
constexpr char kDeleteDelivery[] = "DELETE FROM webhook_deliveries WHERE id = ?";
constexpr char kDeleteEvent[] =
    "DELETE FROM webhook_events WHERE id = ? "
    "AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.event_id = webhook_events.id) "
    "AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.id = webhook_events.job_id)";

constexpr char kOpenLetters[] = "SELECT no, kind, subject_id FROM dead_letters WHERE state = 'open' "
                                "AND dead_at_ms <= ? AND changed_at_ms <= ? ORDER BY dead_at_ms, no LIMIT ?";
constexpr char kBin[] = "SELECT no, kind, subject_id FROM dead_letters WHERE state = 'discarded' "
                        "AND changed_at_ms <= ? ORDER BY changed_at_ms, no LIMIT ?";
constexpr char kRequeued[] = "DELETE FROM dead_letters WHERE no IN (SELECT no FROM dead_letters "
                             "WHERE state = 'requeued' AND changed_at_ms <= ? LIMIT ?)";
constexpr char kArchived[] = "SELECT no, kind, subject_id FROM dead_letters WHERE no = ? AND subject_id = ? "
                             "AND state = ? AND dead_at_ms = ? AND changed_at_ms = ?";
constexpr char kDeleteLetter[] = "DELETE FROM dead_letters WHERE no = ?";
constexpr char kLetterGone[] =
    "UPDATE jobs SET updated_at = ?, updated_at_ms = ? WHERE id = ? AND status = 'dead'";

constexpr char kBodies[] =
    "UPDATE delivery_attempts SET response_body = NULL WHERE (delivery_id, attempt) IN "
    "(SELECT delivery_id, attempt FROM delivery_attempts "
    "WHERE response_body IS NOT NULL AND finished_at_ms <= ? ORDER BY finished_at_ms LIMIT ?)";
// The oldest rows stand first; only those are looked at.
constexpr char kAudit[] = "DELETE FROM audit WHERE no IN (SELECT no FROM (SELECT no, at_ms FROM audit "
                          "ORDER BY no LIMIT ?) oldest WHERE at_ms <= ?)";
constexpr char kOldestAlerts[] = "SELECT no FROM alerts WHERE at_ms <= ? ORDER BY at_ms, no LIMIT ?";
constexpr char kDeletePosts[] = "DELETE FROM alert_posts WHERE alert_no = ?";
constexpr char kDeleteAlert[] = "DELETE FROM alerts WHERE no = ?";
constexpr char kSweeps[] =
    "DELETE FROM sweeps WHERE no IN (SELECT no FROM (SELECT no, finished_at_ms FROM sweeps "
    "ORDER BY no LIMIT ?) oldest WHERE finished_at_ms <= ?)";
constexpr char kOldestOperations[] =
    "SELECT no, COALESCE(finished_at_ms, -1) FROM redrives ORDER BY no LIMIT 100";
constexpr char kDeleteItems[] = "DELETE FROM redrive_items WHERE redrive_no = ? AND item_no IN "
                                "(SELECT item_no FROM redrive_items WHERE redrive_no = ? LIMIT ?)";
constexpr char kDeleteOperation[] = "DELETE FROM redrives WHERE no = ?";
constexpr char kInstances[] = "DELETE FROM instances WHERE no IN (SELECT no FROM instances "
                              "WHERE ended_at_ms IS NOT NULL AND ended_at_ms <= ? ORDER BY no LIMIT ?)";

struct OldRow
{
    qint64 key = 0;
    QString id;
    QString status;
    qint64 updatedAtMs = -1; // -1: Redrive never changed it
    qint64 createdAtMs = 0;
    QString eventId;
};

Result<QList<OldRow>> rowsAfter(Cycle& cycle, const char* statement, qint64 afterKey, int limit)
{
    auto query = cycle.db.query(statement);
    query.bind(afterKey).bind(limit);
    QList<OldRow> rows;
    while (query.next()) {
        OldRow row{query.int64(0), query.text(1), query.text(2), query.int64(3), query.int64(4), {}};
        if (statement == kDeliveries)
            row.eventId = query.text(5);
        rows.append(std::move(row));
    }
    REDRIVE_TRY(query.status());
    return rows;
}

Result<bool> exists(Cycle& cycle, const char* statement, const QString& id)
{
    auto query = cycle.db.query(statement);
    query.bind(id);
    const bool found = query.next();
    REDRIVE_TRY(query.status());
    return found;
}

Status removeWith(Cycle& cycle, std::initializer_list<const char*> statements, const QString& id)
{
    for (const char* statement : statements) {
        auto query = cycle.db.query(statement);
        query.bind(id);
        REDRIVE_TRY(query.run());
    }
    return {};
}

Result<bool> deleteJob(Cycle& cycle, const OldRow& job)
{
    REDRIVE_ASSIGN(hasMessage, exists(cycle, kHasMessage, job.id));
    if (hasMessage)
        return false;
    REDRIVE_ASSIGN(hasOpenDelivery, exists(cycle, kHasOpenDelivery, job.id));
    if (hasOpenDelivery)
        return false;
    if (job.status == u"dead") {
        REDRIVE_ASSIGN(hasLetter, exists(cycle, kHasLetter, job.id));
        if (hasLetter)
            return false;
    }
    REDRIVE_TRY(removeWith(cycle, {kDeleteAttempts, kDeleteResults, kDeleteEventOfJob, kDeleteJob}, job.id));
    return true;
}

Result<bool> deleteDelivery(Cycle& cycle, const OldRow& delivery)
{
    if (delivery.status == u"dead") {
        REDRIVE_ASSIGN(hasLetter, exists(cycle, kHasLetter, delivery.id));
        if (hasLetter)
            return false;
    }
    REDRIVE_TRY(removeWith(cycle, {kDeleteDeliveryAttempts, kDeleteDelivery}, delivery.id));
    if (!delivery.eventId.isEmpty())
        REDRIVE_TRY(removeWith(cycle, {kDeleteEvent}, delivery.eventId));
    return true;
}

using DeleteRow = Result<bool> (*)(Cycle&, const OldRow&);

// Rows stand in the order they came; behind the first that is too young there is nothing to do yet.
Result<Walk> walkOn(Cycle& cycle, const Walk& walk, const char* statement, const QStringList& finalStates,
                    qint64 untilMs, int look, int most, DeleteRow deleteRow)
{
    REDRIVE_ASSIGN(rows, rowsAfter(cycle, statement, walk.afterKey, look));
    Walk on;
    on.afterKey = walk.afterKey;
    on.atEnd = rows.size() < look;
    for (const OldRow& row : rows) {
        if (row.createdAtMs > untilMs) {
            on.atEnd = true;
            break;
        }
        if (on.deleted == most) {
            on.atEnd = false;
            break;
        }
        on.afterKey = row.key;
        ++on.looked;
        if (row.updatedAtMs < 0 || row.updatedAtMs > untilMs || !finalStates.contains(row.status))
            continue;
        REDRIVE_ASSIGN(deleted, deleteRow(cycle, row));
        on.deleted += deleted ? 1 : 0;
    }
    return on;
}

struct OldLetter
{
    qint64 no = 0;
    QString kind;
    QString subjectId;
};

Status readLetters(Query& query, QList<OldLetter>& letters)
{
    while (query.next())
        letters.append({query.int64(0), query.text(1), query.text(2)});
    return query.status();
}

Result<int> deleteLetters(Cycle& cycle, const QList<OldLetter>& letters)
{
    for (const OldLetter& letter : letters) {
        auto gone = cycle.db.query(kDeleteLetter);
        gone.bind(letter.no);
        REDRIVE_TRY(gone.run());
        if (letter.kind != toText(LetterKind::Job))
            continue;
        auto job = cycle.db.query(kLetterGone);
        job.bind(cycle.nowSeconds()).bind(cycle.nowMs).bind(letter.subjectId);
        REDRIVE_TRY(job.run());
    }
    if (!letters.isEmpty())
        cycle.changes.letters = true;
    return int(letters.size());
}

Result<int> changed(Query& query)
{
    REDRIVE_ASSIGN(rows, query.run());
    return int(rows);
}

} // namespace

Result<Walk> deleteJobs(Cycle& cycle, Walk walk, qint64 untilMs, int look, int most)
{
    static const QStringList finalStates{u"done"_s, u"cancelled"_s, u"dead"_s};
    REDRIVE_ASSIGN(on, walkOn(cycle, walk, kJobs, finalStates, untilMs, look, most, deleteJob));
    if (on.deleted > 0)
        cycle.changes.jobs = true;
    return on;
}

Result<Walk> deleteDeliveries(Cycle& cycle, Walk walk, qint64 untilMs, int look, int most)
{
    static const QStringList finalStates{u"delivered"_s, u"cancelled"_s, u"dead"_s};
    REDRIVE_ASSIGN(on, walkOn(cycle, walk, kDeliveries, finalStates, untilMs, look, most, deleteDelivery));
    if (on.deleted > 0)
        cycle.changes.deliveries = true;
    return on;
}

Result<int> deleteOpenLetters(Cycle& cycle, qint64 untilMs, int limit)
{
    auto query = cycle.db.query(kOpenLetters);
    query.bind(untilMs).bind(untilMs).bind(limit);
    QList<OldLetter> letters;
    REDRIVE_TRY(readLetters(query, letters));
    return deleteLetters(cycle, letters);
}

Result<int> deleteDiscardedLetters(Cycle& cycle, qint64 untilMs, int limit)
{
    auto query = cycle.db.query(kBin);
    query.bind(untilMs).bind(limit);
    QList<OldLetter> letters;
    REDRIVE_TRY(readLetters(query, letters));
    return deleteLetters(cycle, letters);
}

Result<int> deleteArchivedLetters(Cycle& cycle, const QList<LetterMark>& marks)
{
    QList<OldLetter> letters;
    for (const LetterMark& mark : marks) {
        auto query = cycle.db.query(kArchived);
        query.bind(mark.no).bind(mark.subjectId).bind(toText(mark.state));
        query.bind(mark.deadAtMs).bind(mark.changedAtMs);
        REDRIVE_TRY(readLetters(query, letters));
    }
    return deleteLetters(cycle, letters);
}

Result<int> deleteRequeuedLetters(Cycle& cycle, qint64 untilMs, int limit)
{
    auto query = cycle.db.query(kRequeued);
    query.bind(untilMs).bind(limit);
    return changed(query);
}

Result<int> dropResponseBodies(Cycle& cycle, qint64 untilMs, int limit)
{
    auto query = cycle.db.query(kBodies);
    query.bind(untilMs).bind(limit);
    return changed(query);
}

Result<int> deleteAudit(Cycle& cycle, qint64 untilMs, int limit)
{
    auto query = cycle.db.query(kAudit);
    query.bind(limit).bind(untilMs);
    return changed(query);
}

Result<int> deleteAlerts(Cycle& cycle, qint64 untilMs, int limit)
{
    QList<qint64> old;
    {
        auto query = cycle.db.query(kOldestAlerts);
        query.bind(untilMs).bind(limit);
        while (query.next())
            old.append(query.int64(0));
        REDRIVE_TRY(query.status());
    }
    for (const qint64 no : old) {
        for (const char* statement : {kDeletePosts, kDeleteAlert}) {
            auto query = cycle.db.query(statement);
            REDRIVE_TRY(query.bind(no).run());
        }
    }
    return int(old.size());
}

Result<int> deleteSweeps(Cycle& cycle, qint64 untilMs, int limit)
{
    auto query = cycle.db.query(kSweeps);
    query.bind(limit).bind(untilMs);
    return changed(query);
}

Result<int> deleteOperations(Cycle& cycle, qint64 untilMs, int limit)
{
    QList<qint64> ended;
    {
        auto query = cycle.db.query(kOldestOperations);
        while (query.next())
            if (query.int64(1) >= 0 && query.int64(1) <= untilMs)
                ended.append(query.int64(0));
        REDRIVE_TRY(query.status());
    }
    int left = limit;
    for (const qint64 no : ended) {
        auto items = cycle.db.query(kDeleteItems);
        items.bind(no).bind(no).bind(left);
        REDRIVE_ASSIGN(deleted, items.run());
        left -= int(deleted);
        if (left <= 0)
            return limit;
        auto operation = cycle.db.query(kDeleteOperation);
        operation.bind(no);
        REDRIVE_TRY(operation.run());
        --left;
        cycle.changes.operations = true;
        if (left <= 0)
            return limit;
    }
    return limit - left;
}

Result<int> deleteInstances(Cycle& cycle, qint64 untilMs, int limit)
{
    auto query = cycle.db.query(kInstances);
    query.bind(untilMs).bind(limit);
    return changed(query);
}

} // namespace redrive::retention_store
