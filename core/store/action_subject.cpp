#include "core/store/action_subject.h"

namespace redrive {

namespace {

constexpr char kLetter[] =
    "SELECT no, kind, state, source_queue, reason, content_type FROM dead_letters "
    "WHERE subject_id = ? AND state IN ('open', 'discarded') ORDER BY state DESC, no LIMIT 1";
constexpr char kSupersededLetter[] = "SELECT superseded_by FROM dead_letters "
                                     "WHERE subject_id = ? AND superseded_by IS NOT NULL LIMIT 1";
constexpr char kJob[] =
    "SELECT status, queue, due_at_ms IS NOT NULL, discarded, type, superseded_by, "
    "(SELECT count(*) FROM webhook_events e JOIN webhook_deliveries d ON d.event_id = e.id "
    "WHERE e.job_id = jobs.id AND d.status IN ('pending', 'sending', 'failed', 'held')) "
    "FROM jobs WHERE id = ?";
constexpr char kMessage[] =
    "SELECT queue, lease_instance IS NOT NULL, visible_at_ms FROM messages WHERE id = ?";
constexpr char kDelivery[] = "SELECT status, due_at_ms, discarded FROM webhook_deliveries WHERE id = ?";

Status readLetter(Connection& db, ActionSubject& subject)
{
    auto query = db.query(kLetter);
    query.bind(subject.id);
    if (query.next())
        subject.letter = {query.int64(0),
                          letterKindFrom(query.text(1)).value_or(LetterKind::Job),
                          letterStateFrom(query.text(2)).value_or(LetterState::Open),
                          query.text(3),
                          query.text(4),
                          contentTypeFrom(query.text(5)).value_or(ContentType::Json)};
    return query.status();
}

Status readJob(Connection& db, ActionSubject& subject)
{
    auto query = db.query(kJob);
    query.bind(subject.id);
    if (query.next()) {
        subject.job = {query.text(0),       query.text(1), query.int64(2) != 0,
                       query.int64(3) != 0, query.text(4), int(query.int64(6))};
        subject.supersededBy = query.text(5);
    }
    return query.status();
}

Status readSuperseded(Connection& db, ActionSubject& subject)
{
    auto query = db.query(kSupersededLetter);
    query.bind(subject.id);
    if (query.next())
        subject.supersededBy = query.text(0);
    return query.status();
}

Status readMessage(Connection& db, ActionSubject& subject)
{
    auto query = db.query(kMessage);
    query.bind(subject.id);
    if (query.next())
        subject.message = {query.text(0), query.int64(1) != 0, query.int64(2)};
    return query.status();
}

Status readDelivery(Connection& db, ActionSubject& subject)
{
    auto query = db.query(kDelivery);
    query.bind(subject.id);
    if (query.next())
        subject.delivery = {query.text(0), query.optInt64(1), query.int64(2) != 0};
    return query.status();
}

} // namespace

Result<ActionSubject> readActionSubject(Connection& db, const QString& id)
{
    ActionSubject subject;
    subject.id = id;
    REDRIVE_TRY(readLetter(db, subject));
    REDRIVE_TRY(readJob(db, subject));
    REDRIVE_TRY(readMessage(db, subject));
    if (!subject.job)
        REDRIVE_TRY(readDelivery(db, subject));
    if (!subject.job && !subject.letter && !subject.delivery)
        REDRIVE_TRY(readSuperseded(db, subject));
    return subject;
}

} // namespace redrive
