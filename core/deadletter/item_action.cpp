#include "core/deadletter/item_action.h"

#include "core/deadletter/action_rules.h"
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

} // namespace

Result<QString> actOnItem(Cycle& cycle, ActionVerb verb, const QString& id, const QString& otherQueue,
                          const ReplayFunction& replay)
{
    REDRIVE_ASSIGN(subject, readActionSubject(cycle.db, id));
    const QString refusal = refusalOf(verb, subject, otherQueue, cycle.nowMs);
    if (!refusal.isEmpty())
        return refusal;
    switch (verb) {
    case ActionVerb::Requeue:
        if (subject.delivery)
            return replay(cycle, id);
        REDRIVE_TRY(requeueItem(cycle, subject, otherQueue));
        break;
    case ActionVerb::Discard:
        REDRIVE_TRY(discardItem(cycle, subject));
        break;
    case ActionVerb::Restore:
        REDRIVE_TRY(restoreItem(cycle, subject));
        break;
    case ActionVerb::Replay:
        return replay(cycle, id);
    case ActionVerb::RunNow:
        REDRIVE_TRY(runItemNow(cycle, subject));
        break;
    case ActionVerb::PauseQueue:
    case ActionVerb::ResumeQueue:
    case ActionVerb::PurgeQueue:
        break;
    }
    return QString();
}

} // namespace redrive
