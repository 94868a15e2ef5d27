#include "core/deadletter/item_action.h"

#include "core/base/ids.h"
#include "core/deadletter/action_rules.h"
#include "core/store/cancel_actions.h"
#include "core/store/edit_actions.h"
#include "core/store/letter_actions.h"
#include "core/store/timer_actions.h"

namespace redrive {

namespace {

Status requeueItem(Cycle& cycle, const ActionSubject& subject, const QString& otherQueue)
{
    const QString queue = requeueTarget(subject, otherQueue);
    if (subject.job)
        return letter_actions::requeueJob(cycle, subject.id, queue);
    return letter_actions::requeueMessage(cycle, subject.id, subject.letter->no, queue);
}

Status discardItem(Cycle& cycle, const ActionSubject& subject)
{
    REDRIVE_TRY(letter_actions::removeCopy(cycle, subject.id));
    REDRIVE_TRY(letter_actions::setDiscarded(cycle, subject.id, subject.letter->kind, true));
    return letter_actions::moveLetters(cycle, subject.id, LetterState::Open, LetterState::Discarded);
}

Status restoreItem(Cycle& cycle, const ActionSubject& subject)
{
    REDRIVE_TRY(letter_actions::setDiscarded(cycle, subject.id, subject.letter->kind, false));
    return letter_actions::moveLetters(cycle, subject.id, LetterState::Discarded, LetterState::Open);
}

Status runItemNow(Cycle& cycle, const ActionSubject& subject)
{
    if (subject.job)
        return timer_actions::runJobNow(cycle, subject);
    if (subject.delivery)
        return timer_actions::runDeliveryNow(cycle, subject.id);
    return timer_actions::runMessageNow(cycle, subject.id, subject.message->queue);
}

Status postponeItem(Cycle& cycle, const ActionSubject& subject, qint64 dueAtMs)
{
    if (subject.job)
        return timer_actions::postponeJob(cycle, subject, dueAtMs);
    if (subject.delivery)
        return timer_actions::postponeDelivery(cycle, subject.id, dueAtMs);
    return timer_actions::postponeMessage(cycle, subject.id, subject.message->queue, dueAtMs);
}

Status cancelItem(Cycle& cycle, const ActionSubject& subject)
{
    if (!subject.job)
        return cancel_actions::cancelDelivery(cycle, subject.id);
    const bool runs = subject.job->status == u"pending" || subject.job->status == u"processing";
    if (runs)
        REDRIVE_TRY(cancel_actions::cancelJob(cycle, subject.id));
    return subject.job->openDeliveries > 0 ? cancel_actions::cancelDeliveriesOf(cycle, subject.id) : Status();
}

Result<QString> editItem(Cycle& cycle, const ActionSubject& subject, const NewRedrive& asked)
{
    const QString id = newId(cycle.nowMs);
    const QString queue = requeueTarget(subject, asked.queue);
    // What stands around a JSON value is no part of it; a message's body is kept as it is.
    const QByteArray given = asked.payload.value_or(QByteArray());
    const QByteArray payload = subject.job ? given.trimmed() : given;
    REDRIVE_TRY(subject.job ? edit_actions::supersedeJob(cycle, subject.id, id, queue, payload)
                            : edit_actions::supersedeMessage(cycle, subject, id, queue, payload));
    return id;
}

Result<ItemEnd> replayItem(Cycle& cycle, const QString& id, const ReplayFunction& replay)
{
    REDRIVE_ASSIGN(refusal, replay(cycle, id));
    return ItemEnd{refusal, {}, id};
}

} // namespace

Result<ItemEnd> actOnItem(Cycle& cycle, const NewRedrive& asked, const QString& id,
                          const ReplayFunction& replay)
{
    REDRIVE_ASSIGN(subject, readActionSubject(cycle.db, id));
    const QString refusal = refusalOf(asked.verb, subject, asked.queue, cycle.nowMs);
    if (!refusal.isEmpty())
        return ItemEnd{refusal, {}, {}};
    switch (asked.verb) {
    case ActionVerb::Requeue:
        if (subject.delivery)
            return replayItem(cycle, id, replay);
        REDRIVE_TRY(requeueItem(cycle, subject, asked.queue));
        return ItemEnd{{}, {}, id};
    case ActionVerb::Discard:
        REDRIVE_TRY(discardItem(cycle, subject));
        break;
    case ActionVerb::Restore:
        REDRIVE_TRY(restoreItem(cycle, subject));
        break;
    case ActionVerb::Replay: {
        const QString delivered = asked.leavesDelivered ? leftAlone(subject) : QString();
        return delivered.isEmpty() ? replayItem(cycle, id, replay) : ItemEnd{delivered, {}, {}};
    }
    case ActionVerb::Publish: {
        const QString made = redrive::newId(cycle.nowMs);
        REDRIVE_TRY(edit_actions::copyJob(cycle, id, made, subject.job->queue));
        return ItemEnd{{}, made, {}};
    }
    case ActionVerb::RunNow:
        REDRIVE_TRY(runItemNow(cycle, subject));
        return ItemEnd{{}, {}, id};
    case ActionVerb::Postpone:
        REDRIVE_TRY(postponeItem(cycle, subject, asked.dueAtMs.value_or(cycle.nowMs)));
        break;
    case ActionVerb::Cancel:
        REDRIVE_TRY(cancelItem(cycle, subject));
        break;
    case ActionVerb::Edit: {
        REDRIVE_ASSIGN(made, editItem(cycle, subject, asked));
        return ItemEnd{{}, made, {}};
    }
    case ActionVerb::ReplayMissing:
    case ActionVerb::PauseQueue:
    case ActionVerb::ResumeQueue:
    case ActionVerb::PurgeQueue:
        break;
    }
    return ItemEnd{};
}

} // namespace redrive
