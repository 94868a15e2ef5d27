#include "core/store/archive_store.h"

#include "core/store/row_values.h"

#include <algorithm>

namespace redrive::archive_store {

namespace {

#define REDRIVE_LETTER_COLUMNS                                                                               \
    "SELECT no, kind, subject_id, source_queue, dead_letter_queue, type, endpoint_id, run, attempts, "       \
    "max_attempts, reason, error, content_type, {bytes:body}, sent_at_ms, dead_at_ms, changed_at_ms "        \
    "FROM dead_letters "
constexpr char kOpen[] = REDRIVE_LETTER_COLUMNS
    "WHERE state = 'open' AND dead_at_ms <= ? AND changed_at_ms <= ? AND (dead_at_ms, no) > (?, ?) "
    "ORDER BY dead_at_ms, no LIMIT ?";
constexpr char kDiscarded[] = REDRIVE_LETTER_COLUMNS
    "WHERE state = 'discarded' AND changed_at_ms <= ? AND (changed_at_ms, no) > (?, ?) "
    "ORDER BY changed_at_ms, no LIMIT ?";
#undef REDRIVE_LETTER_COLUMNS
constexpr char kJob[] = "SELECT run, attempts, crashes, queue, reason, error, parent_id, "
                        "created_at_ms, created_at, updated_at_ms, updated_at, {bytes:payload} "
                        "FROM jobs WHERE id = ?";
constexpr char kDelivery[] =
    "SELECT d.job_id, d.url, {bytes:d.settings}, d.attempts, d.spent, d.budget, d.retry_base_ms, d.reason, "
    "d.error, d.created_at_ms, d.created_at, d.updated_at_ms, e.id, e.run, e.created_at_ms, {bytes:e.body} "
    "FROM webhook_deliveries d LEFT JOIN webhook_events e ON e.id = d.event_id WHERE d.id = ?";

constexpr char kStillThere[] = "SELECT 1 FROM dead_letters WHERE no = ? AND subject_id = ? AND state = ? "
                               "AND dead_at_ms = ? AND changed_at_ms = ?";
constexpr char kOpenDue[] = "SELECT count(*) FROM (SELECT 1 FROM dead_letters WHERE state = 'open' "
                            "AND dead_at_ms <= ? AND changed_at_ms <= ? LIMIT ?)";
constexpr char kDiscardedDue[] = "SELECT count(*) FROM (SELECT 1 FROM dead_letters "
                                 "WHERE state = 'discarded' AND changed_at_ms <= ? LIMIT ?)";
constexpr char kNextOpen[] =
    "SELECT min(dead_at_ms) FROM dead_letters WHERE state = 'open' AND dead_at_ms > ?";
// Those that came back lately, of the oldest ones.
constexpr char kNextBroughtBack[] =
    "SELECT min(changed) FROM (SELECT changed_at_ms AS changed FROM dead_letters WHERE state = 'open' "
    "AND dead_at_ms <= ? ORDER BY dead_at_ms, no LIMIT ?) AS oldest WHERE changed > ?";
constexpr char kNextDiscarded[] =
    "SELECT min(changed_at_ms) FROM dead_letters WHERE state = 'discarded' AND changed_at_ms > ?";
constexpr char kRecords[] =
    "SELECT name, letters, bytes, uploaded_at_ms, uploaded_bytes, etag, upload_error, upload_failed_at_ms "
    "FROM archive_files ORDER BY name DESC";
constexpr char kWritten[] =
    "INSERT INTO archive_files (name, letters, bytes) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET "
    "letters = archive_files.letters + excluded.letters, bytes = excluded.bytes";
constexpr char kUploaded[] =
    "INSERT INTO archive_files (name, uploaded_bytes, uploaded_at_ms, etag) VALUES (?, ?, ?, ?) "
    "ON CONFLICT (name) DO UPDATE SET uploaded_bytes = excluded.uploaded_bytes, "
    "uploaded_at_ms = excluded.uploaded_at_ms, etag = excluded.etag, upload_error = NULL, "
    "upload_failed_at_ms = NULL";
constexpr char kUploadFailed[] =
    "INSERT INTO archive_files (name, upload_error, upload_failed_at_ms) VALUES (?, ?, ?) "
    "ON CONFLICT (name) DO UPDATE SET upload_error = excluded.upload_error, "
    "upload_failed_at_ms = excluded.upload_failed_at_ms";
constexpr char kForget[] = "DELETE FROM archive_files WHERE name = ?";

constexpr qint64 kLatestMs = 253'402'300'799'999;

// Rows of a user's own may hold anything.
qint64 timeOf(const Query& query, int msColumn, int userColumn)
{
    return std::clamp(rowTimeMs(query, msColumn, userColumn), qint64(0), kLatestMs);
}

std::optional<QByteArray> bytesOf(const Query& query, int column)
{
    return query.isNull(column) ? std::nullopt : std::optional<QByteArray>(query.bytes(column));
}

ArchivedLetter readLetter(const Query& query, LetterState state)
{
    ArchivedLetter letter;
    letter.no = query.int64(0);
    letter.kind = letterKindFrom(query.text(1)).value_or(LetterKind::Message);
    letter.state = state;
    letter.subjectId = query.text(2);
    letter.sourceQueue = query.text(3);
    letter.deadLetterQueue = query.text(4);
    letter.type = query.text(5);
    letter.endpointId = query.text(6);
    letter.run = countOf(query, 7);
    letter.attempts = countOf(query, 8);
    if (!query.isNull(9))
        letter.maxAttempts = countOf(query, 9);
    letter.reason = query.text(10);
    letter.error = query.text(11);
    letter.contentType = query.text(12);
    letter.body = bytesOf(query, 13);
    letter.sentAtMs = query.int64(14);
    letter.deadAtMs = query.int64(15);
    letter.changedAtMs = query.int64(16);
    return letter;
}

Status addJob(Connection& db, ArchivedLetter& letter)
{
    auto query = db.query(kJob);
    query.bind(letter.subjectId);
    if (query.next()) {
        ArchivedLetter::Job& job = letter.job.emplace();
        job.run = countOf(query, 0);
        job.attempts = countOf(query, 1);
        job.crashes = countOf(query, 2);
        job.queue = query.text(3);
        job.reason = query.text(4);
        job.error = query.text(5);
        job.parentId = query.text(6);
        job.createdAtMs = timeOf(query, 7, 8);
        job.updatedAtMs = timeOf(query, 9, 10);
        letter.body = bytesOf(query, 11);
    }
    return query.status();
}

Status addDelivery(Connection& db, ArchivedLetter& letter)
{
    auto query = db.query(kDelivery);
    query.bind(letter.subjectId);
    if (query.next()) {
        ArchivedLetter::Delivery& delivery = letter.delivery.emplace();
        delivery.jobId = query.text(0);
        delivery.url = query.text(1);
        delivery.settings = bytesOf(query, 2);
        delivery.attempts = countOf(query, 3);
        delivery.spent = countOf(query, 4);
        delivery.budget = countOf(query, 5);
        delivery.retryBaseMs = query.optInt64(6);
        delivery.reason = query.text(7);
        delivery.error = query.text(8);
        delivery.createdAtMs = timeOf(query, 9, 10);
        delivery.updatedAtMs = timeOf(query, 11, 10);
        if (!query.isNull(12)) {
            delivery.event = {query.text(12), countOf(query, 13), query.int64(14)};
            letter.body = bytesOf(query, 15);
        }
    }
    return query.status();
}

} // namespace

Result<QList<ArchivedLetter>> due(Connection& db, Walk& walk, qint64 untilMs, int limit)
{
    const bool open = walk.state == LetterState::Open;
    QList<ArchivedLetter> letters;
    {
        auto query = db.query(open ? kOpen : kDiscarded);
        query.bind(untilMs);
        if (open)
            query.bind(untilMs);
        query.bind(walk.afterMs).bind(walk.afterNo).bind(limit);
        while (query.next())
            letters.append(readLetter(query, walk.state));
        REDRIVE_TRY(query.status());
    }
    for (ArchivedLetter& letter : letters) {
        if (letter.kind == LetterKind::Job)
            REDRIVE_TRY(addJob(db, letter));
        else if (letter.kind == LetterKind::Delivery)
            REDRIVE_TRY(addDelivery(db, letter));
    }
    if (!letters.isEmpty()) {
        walk.afterMs = open ? letters.last().deadAtMs : letters.last().changedAtMs;
        walk.afterNo = letters.last().no;
    }
    return letters;
}

Result<QList<LetterMark>> stillThere(Connection& db, const QList<LetterMark>& letters)
{
    QList<LetterMark> found;
    for (const LetterMark& letter : letters) {
        auto query = db.query(kStillThere);
        query.bind(letter.no).bind(letter.subjectId).bind(toText(letter.state));
        query.bind(letter.deadAtMs).bind(letter.changedAtMs);
        if (query.next())
            found.append(letter);
        REDRIVE_TRY(query.status());
    }
    return found;
}

Result<QList<ArchiveRecord>> records(Connection& db)
{
    auto query = db.query(kRecords);
    QList<ArchiveRecord> found;
    while (query.next())
        found.append({query.text(0), query.int64(1), query.int64(2), query.optInt64(3), query.int64(4),
                      query.text(5), query.text(6), query.optInt64(7)});
    REDRIVE_TRY(query.status());
    return found;
}

Result<ArchiveBacklog> backlog(Connection& db, qint64 openAgeMs, qint64 discardedAgeMs, qint64 nowMs)
{
    const qint64 openUntilMs = nowMs - openAgeMs;
    const qint64 discardedUntilMs = nowMs - discardedAgeMs;
    ArchiveBacklog backlog;
    auto open = db.query(kOpenDue);
    open.bind(openUntilMs).bind(openUntilMs).bind(ArchiveBacklog::kMostCounted);
    auto discarded = db.query(kDiscardedDue);
    discarded.bind(discardedUntilMs).bind(ArchiveBacklog::kMostCounted);
    for (Query* query : {&open, &discarded}) {
        if (query->next())
            backlog.due += query->int64(0);
        REDRIVE_TRY(query->status());
    }
    auto nextOpen = db.query(kNextOpen);
    nextOpen.bind(openUntilMs);
    auto broughtBack = db.query(kNextBroughtBack);
    broughtBack.bind(openUntilMs).bind(ArchiveBacklog::kMostCounted).bind(openUntilMs);
    auto nextDiscarded = db.query(kNextDiscarded);
    nextDiscarded.bind(discardedUntilMs);
    for (const auto& [query, ageMs] : {std::pair(&nextOpen, openAgeMs), std::pair(&broughtBack, openAgeMs),
                                       std::pair(&nextDiscarded, discardedAgeMs)}) {
        if (const auto atMs = query->next() ? query->optInt64(0) : std::nullopt)
            backlog.nextDueAtMs = std::min(backlog.nextDueAtMs.value_or(kLatestMs), *atMs + ageMs);
        REDRIVE_TRY(query->status());
    }
    return backlog;
}

Status noteWritten(Cycle& cycle, const QString& name, qint64 letters, qint64 bytes)
{
    auto query = cycle.db.query(kWritten);
    query.bind(name).bind(letters).bind(bytes);
    REDRIVE_TRY(query.run());
    return {};
}

Status noteUploaded(Cycle& cycle, const QString& name, qint64 bytes, const QString& etag)
{
    auto query = cycle.db.query(kUploaded);
    query.bind(name).bind(bytes).bind(cycle.nowMs).bindTextOrNull(etag);
    REDRIVE_TRY(query.run());
    return {};
}

Status noteUploadFailed(Cycle& cycle, const QString& name, const QString& error)
{
    auto query = cycle.db.query(kUploadFailed);
    query.bind(name).bind(error).bind(cycle.nowMs);
    REDRIVE_TRY(query.run());
    return {};
}

Status forget(Cycle& cycle, const QString& name)
{
    auto query = cycle.db.query(kForget);
    query.bind(name);
    REDRIVE_TRY(query.run());
    return {};
}

} // namespace redrive::archive_store
