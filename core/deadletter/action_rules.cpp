#include "core/deadletter/action_rules.h"

#include "core/domain/reason.h"

namespace redrive {

namespace {

const QString kFound;

QString stateWords(const QString& status)
{
    if (status == u"pending" || status == u"failed")
        return u"is waiting already"_s;
    if (status == u"sending")
        return u"is being sent"_s;
    return u"is "_s + status;
}

QString newerWords(const ActionSubject& subject)
{
    return u"was edited already: its newer version is "_s + subject.supersededBy;
}

// Of something that has no letter in the state the action needs.
QString whereItIs(const ActionSubject& subject, const QString& whenDead)
{
    if (!subject.supersededBy.isEmpty())
        return newerWords(subject);
    if (subject.job)
        return subject.job->status == u"dead" ? whenDead : stateWords(subject.job->status);
    if (subject.delivery)
        return subject.delivery->status == u"dead" ? whenDead : stateWords(subject.delivery->status);
    if (subject.message)
        return subject.message->leased ? u"is processing"_s : u"is waiting already"_s;
    return u"not found"_s;
}

bool isDiscarded(const ActionSubject& subject)
{
    return (subject.letter && subject.letter->state == LetterState::Discarded) ||
           (subject.job && subject.job->discarded) || (subject.delivery && subject.delivery->discarded);
}

bool hasOpenLetter(const ActionSubject& subject)
{
    return subject.letter && subject.letter->state == LetterState::Open;
}

QString requeueRefusal(const ActionSubject& subject, const QString& otherQueue)
{
    if (isDiscarded(subject))
        return u"is in the bin"_s;
    const bool open = hasOpenLetter(subject);
    if (open && subject.letter->kind == LetterKind::Delivery && !subject.delivery)
        return u"its delivery is gone"_s;
    if (subject.delivery)
        return whereItIs(subject, {});
    if (open && !subject.job &&
        (subject.letter->kind == LetterKind::Job || subject.letter->reason == reason::kMissingRow))
        return u"its job row is gone"_s;
    if (!open || subject.job) {
        const QString refusal = whereItIs(subject, {});
        if (!refusal.isEmpty())
            return refusal;
    }
    return requeueTarget(subject, otherQueue).isEmpty() ? u"has no queue to go back to: name one"_s : kFound;
}

QString discardRefusal(const ActionSubject& subject)
{
    if (isDiscarded(subject))
        return u"is in the bin already"_s;
    const bool lives =
        subject.job && (subject.job->status == u"pending" || subject.job->status == u"processing");
    if (lives) // its message is no copy in a dead-letter queue, whatever letter there is
        return stateWords(subject.job->status);
    return hasOpenLetter(subject) ? kFound : whereItIs(subject, u"has no dead letter"_s);
}

QString restoreRefusal(const ActionSubject& subject)
{
    if (subject.letter)
        return subject.letter->state == LetterState::Discarded ? kFound : u"is not in the bin"_s;
    return whereItIs(subject, {}) == u"not found" ? u"not found"_s : u"is not in the bin"_s;
}

QString replayRefusal(const ActionSubject& subject)
{
    if (subject.job)
        return u"has no failed deliveries"_s;
    if (!subject.delivery)
        return u"not found"_s;
    return kFound; // the rest is the webhooks' own judgement
}

QString publishRefusal(const ActionSubject& subject)
{
    if (!subject.job)
        return u"is no event whose job is still kept"_s;
    if (subject.job->type != u"webhook_fanout")
        return u"is no webhook_fanout"_s;
    return subject.job->queue.isEmpty() ? u"has no queue to go to"_s : kFound;
}

QString runNowRefusal(const ActionSubject& subject, qint64 nowMs)
{
    if (subject.job) {
        if (subject.job->status != u"pending")
            return stateWords(subject.job->status);
        if (!subject.job->waitsForTimer)
            return u"is not waiting for a timer"_s;
        const bool hasQueue = subject.message || !subject.job->queue.isEmpty();
        return hasQueue ? kFound : u"has no queue to wait in"_s;
    }
    if (subject.delivery) {
        if (subject.delivery->status != u"pending" && subject.delivery->status != u"failed")
            return stateWords(subject.delivery->status);
        return subject.delivery->dueAtMs.value_or(0) > nowMs ? kFound : u"is not waiting for a timer"_s;
    }
    if (!subject.message)
        return u"not found"_s;
    if (subject.message->leased)
        return u"is processing"_s;
    return subject.message->visibleAtMs > nowMs ? kFound : u"is not waiting for a timer"_s;
}

QString postponeRefusal(const ActionSubject& subject, qint64 nowMs)
{
    const bool waits = subject.delivery && subject.delivery->dueAtMs && !subject.job;
    // A delivery that is due and waits for its turn at the endpoint may still be put off.
    return waits && (subject.delivery->status == u"pending" || subject.delivery->status == u"failed")
               ? kFound
               : runNowRefusal(subject, nowMs);
}

QString cancelRefusal(const ActionSubject& subject)
{
    if (subject.job) {
        const QString& status = subject.job->status;
        if (status == u"pending" || status == u"processing" || subject.job->openDeliveries > 0)
            return kFound;
        if (!subject.supersededBy.isEmpty())
            return newerWords(subject);
        return status == u"cancelled" ? u"is cancelled already"_s : stateWords(status);
    }
    if (subject.delivery) {
        const QString& status = subject.delivery->status;
        if (status == u"pending" || status == u"sending" || status == u"failed" || status == u"held")
            return kFound;
        return status == u"cancelled" ? u"is cancelled already"_s : stateWords(status);
    }
    if (hasOpenLetter(subject))
        return u"is a dead letter: discard it"_s;
    return subject.message ? u"is a message and no job"_s : u"not found"_s;
}

QString editRefusal(const ActionSubject& subject, const QString& otherQueue)
{
    if (isDiscarded(subject))
        return u"is in the bin"_s;
    if (subject.delivery || (subject.letter && subject.letter->kind == LetterKind::Delivery))
        return u"is a delivery: its body is the event's, which all endpoints get alike"_s;
    if (subject.job) {
        const bool may = subject.job->status == u"pending" || subject.job->status == u"dead";
        if (!may)
            return subject.supersededBy.isEmpty() ? stateWords(subject.job->status) : newerWords(subject);
    } else if (!hasOpenLetter(subject)) {
        return subject.message ? u"is a message that waits: only dead letters of messages are edited"_s
                               : whereItIs(subject, {});
    } else if (subject.letter->kind == LetterKind::Job || subject.letter->reason == reason::kMissingRow) {
        return u"its job row is gone"_s;
    }
    return requeueTarget(subject, otherQueue).isEmpty() ? u"has no queue to go to: name one"_s : kFound;
}

} // namespace

QString refusalOf(ActionVerb verb, const ActionSubject& subject, const QString& otherQueue, qint64 nowMs)
{
    switch (verb) {
    case ActionVerb::Requeue:
        return requeueRefusal(subject, otherQueue);
    case ActionVerb::Discard:
        return discardRefusal(subject);
    case ActionVerb::Restore:
        return restoreRefusal(subject);
    case ActionVerb::Replay:
        return replayRefusal(subject);
    case ActionVerb::Publish:
        return publishRefusal(subject);
    case ActionVerb::RunNow:
        return runNowRefusal(subject, nowMs);
    case ActionVerb::Postpone:
        return postponeRefusal(subject, nowMs);
    case ActionVerb::Cancel:
        return cancelRefusal(subject);
    case ActionVerb::Edit:
        return editRefusal(subject, otherQueue);
    case ActionVerb::ReplayMissing: // the webhooks' own judgement
    case ActionVerb::PauseQueue:
    case ActionVerb::ResumeQueue:
    case ActionVerb::PurgeQueue:
        break;
    }
    return u"is not something this can be done to"_s;
}

QString leftAlone(const ActionSubject& subject)
{
    const bool delivered = subject.delivery && subject.delivery->status == u"delivered";
    return delivered ? u"is delivered by now"_s : QString();
}

QString requeueTarget(const ActionSubject& subject, const QString& otherQueue)
{
    if (!otherQueue.isEmpty())
        return otherQueue;
    if (subject.letter && !subject.letter->sourceQueue.isEmpty())
        return subject.letter->sourceQueue;
    return subject.job ? subject.job->queue : QString();
}

} // namespace redrive
