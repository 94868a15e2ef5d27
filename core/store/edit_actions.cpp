#include "core/store/edit_actions.h"

#include "core/domain/reason.h"
#include "core/store/letter_actions.h"

namespace redrive::edit_actions {

namespace {

constexpr char kSupersede[] =
    "UPDATE jobs SET status = 'cancelled', reason = ?, superseded_by = ?, due_at_ms = NULL, "
    "updated_at = ?, updated_at_ms = ? WHERE id = ? AND status IN ('pending', 'dead')";
constexpr char kNewJob[] =
    "INSERT INTO jobs (id, type, status, payload, created_at, updated_at, queue, created_at_ms, "
    "updated_at_ms, reason, parent_id) "
    "SELECT ?, type, 'pending', {exact:?}, ?, ?, ?, ?, ?, ?, id FROM jobs WHERE id = ?";
constexpr char kCopyJob[] =
    "INSERT INTO jobs (id, type, status, payload, created_at, updated_at, queue, created_at_ms, "
    "updated_at_ms, parent_id) SELECT ?, type, 'pending', payload, ?, ?, ?, ?, ?, id FROM jobs WHERE id = ?";
constexpr char kPayloadSize[] = "SELECT COALESCE(LENGTH({bytes:payload}), 0) FROM jobs WHERE id = ?";
constexpr char kSupersedeLetters[] =
    "UPDATE dead_letters SET superseded_by = ? WHERE subject_id = ? AND state = 'open'";

Status insertMessage(Cycle& cycle, NewMessage message)
{
    message.visibleAtMs = cycle.nowMs;
    message.urgent = true;
    REDRIVE_TRY(message_store::insert(cycle, message));
    cycle.changes.queues = true;
    cycle.changes.touch(message.id);
    return {};
}

Status closeLetters(Cycle& cycle, const QString& id, const QString& newId)
{
    auto letters = cycle.db.query(kSupersedeLetters);
    REDRIVE_TRY(letters.bind(newId).bind(id).run());
    REDRIVE_TRY(letter_actions::removeCopy(cycle, id));
    return letter_actions::moveLetters(cycle, id, LetterState::Open, LetterState::Requeued);
}

} // namespace

Status supersedeJob(Cycle& cycle, const QString& id, const QString& newId, const QString& queue,
                    const QByteArray& payload)
{
    auto former = cycle.db.query(kSupersede);
    former.bind(QString(reason::kSuperseded)).bind(newId).bind(cycle.nowSeconds()).bind(cycle.nowMs).bind(id);
    REDRIVE_TRY(former.run());
    auto job = cycle.db.query(kNewJob);
    job.bind(newId).bind(payload).bind(cycle.nowSeconds()).bind(cycle.nowSeconds()).bind(queue);
    job.bind(cycle.nowMs).bind(cycle.nowMs).bind(QString(reason::kRequeued)).bind(id);
    REDRIVE_TRY(job.run());
    cycle.changes.jobs = true;
    REDRIVE_TRY(closeLetters(cycle, id, newId));
    NewMessage message;
    message.id = newId;
    message.queue = queue;
    message.isJob = true;
    message.size = payload.size();
    return insertMessage(cycle, std::move(message));
}

Status copyJob(Cycle& cycle, const QString& id, const QString& newId, const QString& queue)
{
    auto job = cycle.db.query(kCopyJob);
    job.bind(newId).bind(cycle.nowSeconds()).bind(cycle.nowSeconds()).bind(queue);
    REDRIVE_TRY(job.bind(cycle.nowMs).bind(cycle.nowMs).bind(id).run());
    cycle.changes.jobs = true;
    cycle.changes.touch(id);
    NewMessage message;
    message.id = newId;
    message.queue = queue;
    message.isJob = true;
    {
        auto size = cycle.db.query(kPayloadSize);
        size.bind(id);
        message.size = size.next() ? size.int64(0) : 0;
        REDRIVE_TRY(size.status());
    }
    return insertMessage(cycle, std::move(message));
}

Status supersedeMessage(Cycle& cycle, const ActionSubject& subject, const QString& newId,
                        const QString& queue, const QByteArray& body)
{
    REDRIVE_TRY(closeLetters(cycle, subject.id, newId));
    NewMessage message;
    message.id = newId;
    message.queue = queue;
    message.contentType = subject.letter->contentType;
    message.body = body;
    message.size = body.size();
    return insertMessage(cycle, std::move(message));
}

} // namespace redrive::edit_actions
