#include "core/store/letter_import_store.h"

namespace redrive::letter_import_store {

namespace {

constexpr char kLetterThere[] =
    "SELECT 1 FROM dead_letters WHERE subject_id = ? AND (state IN ('open', 'discarded') "
    "OR (kind = ? AND run = ? AND dead_at_ms = ?)) LIMIT 1";
constexpr char kJobAlive[] = "SELECT 1 FROM jobs WHERE id = ? AND status <> 'dead'";
constexpr char kDeliveryAlive[] = "SELECT 1 FROM webhook_deliveries WHERE id = ? AND status <> 'dead'";
constexpr char kMessageWaits[] =
    "SELECT 1 FROM messages WHERE id = ? AND queue <> ?"; // in its dead-letter queue it is a copy

constexpr char kInsertJob[] =
    "INSERT INTO jobs (id, type, status, payload, error, created_at, updated_at, queue, run, attempts, "
    "crashes, created_at_ms, updated_at_ms, reason, parent_id) "
    "VALUES (?, ?, 'dead', {exact:?}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
    "discarded = 0, updated_at = excluded.updated_at, updated_at_ms = excluded.updated_at_ms";
constexpr char kInsertEvent[] =
    "INSERT INTO webhook_events (id, job_id, run, event_type, body, created_at_ms) "
    "VALUES (?, ?, ?, ?, {exact:?}, ?) ON CONFLICT (id) DO NOTHING";
constexpr char kInsertDelivery[] =
    "INSERT INTO webhook_deliveries (id, endpoint_id, event_type, status, error, created_at, event_id, "
    "job_id, url, settings, attempts, spent, budget, retry_base_ms, reason, created_at_ms, updated_at_ms) "
    "VALUES (?, ?, ?, 'dead', ?, ?, ?, ?, ?, {exact:?}, ?, ?, ?, ?, ?, ?, ?) "
    "ON CONFLICT (id) DO UPDATE SET discarded = 0, updated_at_ms = excluded.updated_at_ms";
#define REDRIVE_INSERT_LETTER                                                                                \
    "INSERT INTO dead_letters (kind, subject_id, source_queue, dead_letter_queue, type, endpoint_id, run, "  \
    "attempts, max_attempts, reason, error, content_type, sent_at_ms, dead_at_ms, changed_at_ms, body) "     \
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
constexpr char kInsertLetterText[] = REDRIVE_INSERT_LETTER "{exact:?})";
constexpr char kInsertLetterBytes[] = REDRIVE_INSERT_LETTER "?)";
#undef REDRIVE_INSERT_LETTER

Result<bool> found(Query&& query)
{
    const bool any = query.next();
    REDRIVE_TRY(query.status());
    return any;
}

void bindBytes(Query& query, const std::optional<QByteArray>& bytes)
{
    if (bytes)
        query.bind(*bytes);
    else
        query.bindNull();
}

Status insertJob(Cycle& cycle, const ArchivedLetter& letter)
{
    const ArchivedLetter::Job& job = *letter.job;
    auto query = cycle.db.query(kInsertJob);
    query.bind(letter.subjectId).bind(letter.type);
    bindBytes(query, letter.body);
    query.bindTextOrNull(job.error).bind(job.createdAtMs / 1000).bind(cycle.nowSeconds());
    query.bindTextOrNull(job.queue).bind(job.run).bind(job.attempts).bind(job.crashes);
    query.bind(job.createdAtMs).bind(cycle.nowMs);
    query.bindTextOrNull(job.reason).bindTextOrNull(job.parentId);
    REDRIVE_TRY(query.run());
    cycle.changes.jobs = true;
    return {};
}

Status insertEvent(Cycle& cycle, const ArchivedLetter& letter)
{
    const ArchivedLetter::Event& event = *letter.delivery->event;
    auto query = cycle.db.query(kInsertEvent);
    query.bind(event.id).bind(letter.delivery->jobId).bind(event.run).bind(letter.type);
    query.bind(letter.body.value_or(QByteArray())).bind(event.createdAtMs);
    REDRIVE_TRY(query.run());
    return {};
}

Status insertDelivery(Cycle& cycle, const ArchivedLetter& letter)
{
    const ArchivedLetter::Delivery& delivery = *letter.delivery;
    if (delivery.event)
        REDRIVE_TRY(insertEvent(cycle, letter));
    auto query = cycle.db.query(kInsertDelivery);
    query.bind(letter.subjectId).bind(letter.endpointId).bind(letter.type).bindTextOrNull(delivery.error);
    query.bind(delivery.createdAtMs / 1000).bindTextOrNull(delivery.event ? delivery.event->id : QString());
    query.bindTextOrNull(delivery.jobId).bindTextOrNull(delivery.url);
    bindBytes(query, delivery.settings);
    query.bind(delivery.attempts).bind(delivery.spent).bind(delivery.budget).bind(delivery.retryBaseMs);
    query.bindTextOrNull(delivery.reason).bind(delivery.createdAtMs).bind(cycle.nowMs);
    REDRIVE_TRY(query.run());
    cycle.changes.deliveries = true;
    return {};
}

Status insertLetter(Cycle& cycle, const ArchivedLetter& letter)
{
    auto query = cycle.db.query(letter.contentType == u"bytes" ? kInsertLetterBytes : kInsertLetterText);
    query.bind(toText(letter.kind)).bind(letter.subjectId).bindTextOrNull(letter.sourceQueue);
    query.bindTextOrNull(letter.deadLetterQueue)
        .bindTextOrNull(letter.type)
        .bindTextOrNull(letter.endpointId);
    query.bind(letter.run).bind(letter.attempts);
    query.bind(letter.maxAttempts ? std::optional<qint64>(*letter.maxAttempts) : std::nullopt);
    query.bind(letter.reason).bindTextOrNull(letter.error).bind(letter.contentType).bind(letter.sentAtMs);
    query.bind(letter.deadAtMs).bind(cycle.nowMs);
    if (letter.kind == LetterKind::Message)
        bindBytes(query, letter.body);
    else
        query.bindNull();
    REDRIVE_TRY(query.run());
    cycle.changes.letters = true;
    cycle.changes.touch(letter.subjectId);
    return {};
}

} // namespace

Result<bool> isThere(Connection& db, const ArchivedLetter& letter)
{
    auto same = db.query(kLetterThere);
    same.bind(letter.subjectId).bind(toText(letter.kind)).bind(letter.run).bind(letter.deadAtMs);
    REDRIVE_ASSIGN(there, found(std::move(same)));
    if (there)
        return true;
    auto alive = db.query(letter.kind == LetterKind::Job        ? kJobAlive
                          : letter.kind == LetterKind::Delivery ? kDeliveryAlive
                                                                : kMessageWaits);
    alive.bind(letter.subjectId);
    if (letter.kind == LetterKind::Message)
        alive.bind(letter.deadLetterQueue);
    return found(std::move(alive));
}

Status bringBack(Cycle& cycle, const ArchivedLetter& letter)
{
    if (letter.kind == LetterKind::Job && letter.job)
        REDRIVE_TRY(insertJob(cycle, letter));
    if (letter.kind == LetterKind::Delivery && letter.delivery)
        REDRIVE_TRY(insertDelivery(cycle, letter));
    return insertLetter(cycle, letter);
}

} // namespace redrive::letter_import_store
