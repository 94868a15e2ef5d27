#include "core/store/letter_read_store.h"

namespace redrive::letter_read_store {

namespace {

#define REDRIVE_LETTER_COLUMNS                                                                               \
    "SELECT no, kind, state, subject_id, type, source_queue, dead_letter_queue, endpoint_id, run, "          \
    "attempts, max_attempts, reason, substr(error, 1, 300), sent_at_ms, dead_at_ms, changed_at_ms, "         \
    "superseded_by, content_type FROM dead_letters WHERE "

constexpr char kParent[] = "SELECT subject_id FROM dead_letters WHERE superseded_by = ? "
                           "AND superseded_by IS NOT NULL LIMIT 1";
constexpr char kByNo[] = REDRIVE_LETTER_COLUMNS "no = ?";
constexpr char kAfter[] = REDRIVE_LETTER_COLUMNS "no > ? ORDER BY no LIMIT ?";
constexpr char kNewest[] = REDRIVE_LETTER_COLUMNS "subject_id = ? ORDER BY no DESC LIMIT 1";
#undef REDRIVE_LETTER_COLUMNS

LetterRow read(const Query& query)
{
    LetterRow row;
    row.key = query.int64(0);
    row.kind = letterKindFrom(query.text(1)).value_or(LetterKind::Message);
    row.state = letterStateFrom(query.text(2)).value_or(LetterState::Open);
    row.subjectId = query.text(3);
    row.type = query.text(4);
    row.sourceQueue = query.text(5);
    row.deadLetterQueue = query.text(6);
    row.endpointId = query.text(7);
    row.run = int(query.int64(8));
    row.attempts = int(query.int64(9));
    row.maxAttempts = int(query.int64(10));
    row.reason = query.text(11);
    row.error = query.text(12);
    row.sentAtMs = query.int64(13);
    row.deadAtMs = query.int64(14);
    row.changedAtMs = query.int64(15);
    row.supersededBy = query.text(16);
    row.contentType = query.text(17);
    return row;
}

Result<std::optional<LetterRow>> one(Query& query)
{
    std::optional<LetterRow> found;
    if (query.next())
        found = read(query);
    REDRIVE_TRY(query.status());
    return found;
}

} // namespace

Result<QList<LetterRow>> rows(Connection& db, const std::vector<qint64>& keys)
{
    QList<LetterRow> found;
    found.reserve(qsizetype(keys.size()));
    for (const qint64 key : keys) {
        REDRIVE_ASSIGN(letter, row(db, key));
        if (letter)
            found.append(*letter);
    }
    return found;
}

Result<QString> parentOf(Connection& db, const QString& subjectId)
{
    auto query = db.query(kParent);
    query.bind(subjectId);
    const QString id = query.next() ? query.text(0) : QString();
    REDRIVE_TRY(query.status());
    return id;
}

Result<std::optional<LetterRow>> row(Connection& db, qint64 no)
{
    auto query = db.query(kByNo);
    query.bind(no);
    return one(query);
}

Result<std::optional<LetterRow>> newestOf(Connection& db, const QString& subjectId)
{
    auto query = db.query(kNewest);
    query.bind(subjectId);
    return one(query);
}

Result<QList<LetterRow>> after(Connection& db, qint64 no, int limit)
{
    auto query = db.query(kAfter);
    query.bind(no).bind(limit);
    QList<LetterRow> found;
    while (query.next())
        found.append(read(query));
    REDRIVE_TRY(query.status());
    return found;
}

} // namespace redrive::letter_read_store
