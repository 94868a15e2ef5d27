#include "core/store/letter_store.h"

namespace redrive::letter_store {

namespace {

constexpr char kInsertText[] =
    "INSERT INTO dead_letters (kind, subject_id, source_queue, dead_letter_queue, type, endpoint_id, run, "
    "attempts, "
    "max_attempts, reason, error, content_type, body, sent_at_ms, dead_at_ms, changed_at_ms) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, {exact:?}, ?, ?, ?)";
constexpr char kInsertBytes[] =
    "INSERT INTO dead_letters (kind, subject_id, source_queue, dead_letter_queue, type, endpoint_id, run, "
    "attempts, "
    "max_attempts, reason, error, content_type, body, sent_at_ms, dead_at_ms, changed_at_ms) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
constexpr char kExists[] = "SELECT 1 FROM dead_letters WHERE subject_id = ? AND reason = ? LIMIT 1";

} // namespace

Status insert(Cycle& cycle, const NewLetter& letter)
{
    auto query = cycle.db.query(letter.contentType == ContentType::Bytes ? kInsertBytes : kInsertText);
    query.bind(toText(letter.kind)).bind(letter.subjectId).bindTextOrNull(letter.sourceQueue);
    query.bindTextOrNull(letter.deadLetterQueue)
        .bindTextOrNull(letter.type)
        .bindTextOrNull(letter.endpointId);
    query.bind(letter.run).bind(letter.attempts).bind(letter.maxAttempts).bind(letter.reason);
    query.bindTextOrNull(letter.error).bind(toText(letter.contentType));
    if (letter.kind == LetterKind::Message)
        query.bind(letter.body);
    else
        query.bindNull();
    query.bind(letter.sentAtMs).bind(cycle.nowMs).bind(cycle.nowMs);
    REDRIVE_TRY(query.run());
    cycle.changes.letters = true;
    cycle.changes.touch(letter.subjectId);
    return {};
}

Result<bool> exists(Connection& db, const QString& subjectId, const QString& reason)
{
    auto query = db.query(kExists);
    query.bind(subjectId).bind(reason);
    const bool found = query.next();
    REDRIVE_TRY(query.status());
    return found;
}

} // namespace redrive::letter_store
