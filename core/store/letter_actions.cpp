#include "core/store/letter_actions.h"

#include "core/domain/reason.h"

namespace redrive::letter_actions {

namespace {

constexpr char kReviveJob[] =
    "UPDATE jobs SET status = 'pending', run = run + 1, attempts = 0, crashes = 0, due_at_ms = NULL, "
    "queue = ?, reason = ?, updated_at = ?, updated_at_ms = ? WHERE id = ? AND status = 'dead'";
constexpr char kJobMessage[] =
    "INSERT INTO messages (id, queue, is_job, size, sent_at_ms, visible_at_ms, urgent) "
    "SELECT id, ?, 1, COALESCE(LENGTH({bytes:payload}), 0), ?, ?, 1 FROM jobs WHERE id = ?";
constexpr char kLetterMessage[] =
    "INSERT INTO messages (id, queue, is_job, content_type, body, size, sent_at_ms, visible_at_ms, urgent) "
    "SELECT subject_id, ?, 0, content_type, body, COALESCE(LENGTH({bytes:body}), 0), ?, ?, 1 "
    "FROM dead_letters WHERE no = ?";
constexpr char kMoveLetters[] =
    "UPDATE dead_letters SET state = ?, changed_at_ms = ? WHERE subject_id = ? AND state = ?";
constexpr char kMarkJob[] = "UPDATE jobs SET discarded = ?, updated_at = ?, updated_at_ms = ? WHERE id = ?";
constexpr char kMarkDelivery[] =
    "UPDATE webhook_deliveries SET discarded = ?, updated_at_ms = ? WHERE id = ?";
constexpr char kRemoveCopy[] = "DELETE FROM messages WHERE id = ?";

} // namespace

Status requeueJob(Cycle& cycle, const QString& id, const QString& queue)
{
    REDRIVE_TRY(removeCopy(cycle, id));
    auto revive = cycle.db.query(kReviveJob);
    revive.bind(queue).bind(QString(reason::kRequeued)).bind(cycle.nowSeconds()).bind(cycle.nowMs).bind(id);
    REDRIVE_TRY(revive.run());
    auto message = cycle.db.query(kJobMessage);
    message.bind(queue).bind(cycle.nowMs).bind(cycle.nowMs).bind(id);
    REDRIVE_TRY(message.run());
    REDRIVE_TRY(moveLetters(cycle, id, LetterState::Open, LetterState::Requeued));
    cycle.changes.jobs = true;
    cycle.queuesToLook.insert(queue);
    return {};
}

Status requeueMessage(Cycle& cycle, const QString& id, qint64 letterNo, const QString& queue)
{
    REDRIVE_TRY(removeCopy(cycle, id));
    auto message = cycle.db.query(kLetterMessage);
    message.bind(queue).bind(cycle.nowMs).bind(cycle.nowMs).bind(letterNo);
    REDRIVE_TRY(message.run());
    cycle.queuesToLook.insert(queue);
    return moveLetters(cycle, id, LetterState::Open, LetterState::Requeued);
}

Status moveLetters(Cycle& cycle, const QString& id, LetterState from, LetterState to)
{
    auto query = cycle.db.query(kMoveLetters);
    query.bind(toText(to)).bind(cycle.nowMs).bind(id).bind(toText(from));
    REDRIVE_TRY(query.run());
    cycle.changes.letters = true;
    cycle.changes.touch(id);
    return {};
}

Status setDiscarded(Cycle& cycle, const QString& id, LetterKind kind, bool discarded)
{
    if (kind == LetterKind::Message)
        return {};
    const bool isJob = kind == LetterKind::Job;
    auto query = cycle.db.query(isJob ? kMarkJob : kMarkDelivery);
    query.bind(discarded);
    if (isJob)
        query.bind(cycle.nowSeconds());
    query.bind(cycle.nowMs).bind(id);
    REDRIVE_TRY(query.run());
    (isJob ? cycle.changes.jobs : cycle.changes.deliveries) = true;
    return {};
}

Status removeCopy(Cycle& cycle, const QString& id)
{
    auto query = cycle.db.query(kRemoveCopy);
    query.bind(id);
    REDRIVE_ASSIGN(rows, query.run());
    if (rows > 0)
        cycle.changes.queues = true;
    return {};
}

} // namespace redrive::letter_actions
