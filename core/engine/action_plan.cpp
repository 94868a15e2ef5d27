#include "core/engine/action_plan.h"

#include "core/deadletter/action_rules.h"
#include "core/deadletter/queue_action.h"
#include "core/intake/payload_check.h"
#include "core/queue/purge.h"
#include "core/queue/send.h"
#include "core/store/action_scope.h"
#include "core/store/queue_settings.h"
#include "core/webhooks/replay.h"

#include <QMap>

namespace redrive {

namespace {

constexpr int kSampleIds = 10;

Result<QString> judge(Connection& db, const ActionRequest& request, const QString& item,
                      const ActionLimits& limits, bool leavesDelivered, qint64 nowMs)
{
    if (request.verb == ActionVerb::ReplayMissing) {
        const MissedEvent missed = missedBy(request.scope.endpointId, item);
        return limits.missed->refusal(db, missed.endpointId, missed.eventId);
    }
    REDRIVE_ASSIGN(subject, readActionSubject(db, item));
    QString refusal = refusalOf(request.verb, subject, request.scope.queue, nowMs);
    if (refusal.isEmpty() && leavesDelivered)
        refusal = leftAlone(subject);
    const bool sendsAgain = request.verb == ActionVerb::Replay || request.verb == ActionVerb::Requeue;
    if (refusal.isEmpty() && sendsAgain && subject.delivery)
        return replayRefusal(db, item);
    return refusal;
}

Result<ActionPlan> planPurge(Connection& db, const QString& queue, const QStringList& declaredQueues)
{
    ActionPlan plan;
    REDRIVE_ASSIGN(refusal, queueRefusal(db, ActionVerb::PurgeQueue, queue, declaredQueues));
    if (!refusal.isEmpty()) {
        plan.total = 1;
        plan.skipped.append({refusal, 1});
        return plan;
    }
    REDRIVE_ASSIGN(content, message_removal::contentOf(db, queue, {}));
    plan.total = int(content.messages + content.inFlight);
    plan.willAct = int(content.messages);
    plan.cutoff = content.lastSeq;
    if (content.inFlight > 0)
        plan.skipped.append({u"in flight: it finishes"_s, int(content.inFlight)});
    REDRIVE_ASSIGN(first, message_removal::after(db, queue, {}, content.lastSeq, kSampleIds));
    for (const RemovableMessage& message : first)
        if (!message.leased)
            plan.sampleIds.append(message.id);
    return plan;
}

// A queue that nobody declares and that holds nothing would keep what is sent there for ever.
Status checkOtherQueue(Connection& db, const QString& queue, const QStringList& declaredQueues)
{
    if (queue.isEmpty() || declaredQueues.contains(queue))
        return {};
    REDRIVE_ASSIGN(state, queue_settings::pauseState(db, queue));
    if (!state.known)
        return fail(ErrorKind::InvalidInput, u"there is no queue '%1': nobody declares it"_s.arg(queue));
    return {};
}

Status checkPace(const ActionRequest& request)
{
    const RedrivePace& pace = request.pace;
    if (!pace.isSet())
        return {};
    const bool known = pace.perSecond >= 0 && pace.perSecond <= RedrivePace::kHighestRate &&
                       (pace.perSecond == 0 || pace.perSecond >= RedrivePace::kLowestRate) &&
                       pace.inFlight >= 0 && pace.inFlight <= RedrivePace::kMostInFlight &&
                       pace.brakePercent >= 0 && pace.brakePercent <= 100 && pace.canary >= 0 &&
                       pace.canary <= RedrivePace::kMostCanary;
    if (!known)
        return fail(ErrorKind::InvalidInput, u"the pace is out of bounds"_s);
    return takesPace(request.verb)
               ? Status()
               : Status(fail(ErrorKind::InvalidInput,
                             u"%1 is done at once and takes no pace"_s.arg(toText(request.verb))));
}

Status checkHold(const ActionRequest& request)
{
    if (request.holdMs == 0)
        return {};
    if (!takesHold(request.verb))
        return fail(ErrorKind::InvalidInput, u"%1 is not held before it begins"_s.arg(toText(request.verb)));
    return request.holdMs > 0 && request.holdMs <= kLongestHoldMs
               ? Status()
               : Status(fail(ErrorKind::InvalidInput, u"an action is held for a minute at most"_s));
}

Status checkMissing(const ActionScope& scope, const ActionLimits& limits)
{
    if (scope.matching || scope.endpointId.isEmpty() == scope.ids.isEmpty())
        return fail(ErrorKind::InvalidInput, u"name either one endpoint or events with their endpoints"_s);
    for (const QString& id : scope.ids)
        if (!missedEventFrom(id))
            return fail(ErrorKind::InvalidInput,
                        u"'%1' does not name an event and an endpoint: EVENT:ENDPOINT"_s.arg(id));
    return limits.missed ? Status()
                         : Status(fail(ErrorKind::InvalidInput, u"no endpoint is registered here"_s));
}

Status checkDueTime(const ActionRequest& request, qint64 nowMs)
{
    if (request.delayMs.has_value() == request.dueAtMs.has_value())
        return fail(ErrorKind::InvalidInput, u"say for how long or until when"_s);
    const qint64 delayMs = dueTimeOf(request, nowMs) - nowMs;
    if (delayMs < 0 && request.dueAtMs)
        return fail(ErrorKind::InvalidInput, u"the time is in the past"_s);
    if (delayMs < 0 || delayMs > kMaxDelayMs)
        return fail(ErrorKind::InvalidInput, u"a delay must be from 0 to 86400 seconds, not %1"_s.arg(
                                                 double(delayMs) / 1000.0, 0, 'f', -1));
    return {};
}

Status checkEdit(Connection& db, const ActionRequest& request, const PayloadRules& rules)
{
    if (request.scope.matching || request.scope.ids.size() != 1)
        return fail(ErrorKind::InvalidInput, u"one thing is edited at a time: name one id"_s);
    if (!request.payload)
        return fail(ErrorKind::InvalidInput, u"an edit needs the new payload"_s);
    REDRIVE_ASSIGN(subject, readActionSubject(db, request.scope.ids.first()));
    if (subject.job)
        return checkPayload(subject.job->type, *request.payload, rules);
    // Of nothing that can be edited the rules say why not.
    return subject.letter ? checkBody(subject.letter->contentType, *request.payload) : Status();
}

} // namespace

RedrivePace paceOf(const ActionRequest& request, qsizetype items, const ActionLimits& limits)
{
    RedrivePace pace = request.pace;
    const bool replays = request.verb == ActionVerb::Replay || request.verb == ActionVerb::ReplayMissing;
    if (replays && !pace.isSet() && limits.replaysInFlight > 0 && items > limits.replaysInFlight)
        pace.inFlight = limits.replaysInFlight;
    return pace;
}

ActionLimits limitsOf(const Settings& settings)
{
    return {settings.queueNames(), PayloadRules(settings.processFileRoots),
            std::make_shared<MissedEvents>(settings), kReplaysInFlight};
}

Result<QStringList> freezeItems(Connection& db, const ActionRequest& request, const ActionLimits& limits,
                                qint64 nowMs)
{
    return request.verb == ActionVerb::ReplayMissing && !request.scope.endpointId.isEmpty()
               ? limits.missed->of(db, request.scope.endpointId, request.scope.sinceMs.value_or(0))
               : freezeScope(db, request, nowMs);
}

MissedEvent missedBy(const QString& endpointId, const QString& item)
{
    return endpointId.isEmpty() ? missedEventFrom(item).value_or(MissedEvent())
                                : MissedEvent{item, endpointId};
}

qint64 dueTimeOf(const ActionRequest& request, qint64 nowMs)
{
    return request.dueAtMs ? *request.dueAtMs : nowMs + request.delayMs.value_or(0);
}

Status checkRequest(Connection& db, const ActionRequest& request, const ActionLimits& limits, qint64 nowMs)
{
    const ActionScope& scope = request.scope;
    REDRIVE_TRY(checkPace(request));
    REDRIVE_TRY(checkHold(request));
    if (isQueueVerb(request.verb))
        return scope.queue.isEmpty() ? Status(fail(ErrorKind::InvalidInput, u"name a queue"_s)) : Status();
    if (request.verb == ActionVerb::ReplayMissing)
        return checkMissing(scope, limits);
    if (scope.matching != scope.ids.isEmpty())
        return fail(ErrorKind::InvalidInput, u"name ids or a filter, not both"_s);
    if (request.verb == ActionVerb::Requeue || request.verb == ActionVerb::Edit)
        REDRIVE_TRY(checkOtherQueue(db, scope.queue, limits.declaredQueues));
    if (request.verb == ActionVerb::Postpone)
        return checkDueTime(request, nowMs);
    return request.verb == ActionVerb::Edit ? checkEdit(db, request, limits.payloads) : Status();
}

Result<ActionPlan> planAction(Connection& db, const ActionRequest& request, const ActionLimits& limits,
                              qint64 nowMs)
{
    const QStringList& declaredQueues = limits.declaredQueues;
    REDRIVE_TRY(checkRequest(db, request, limits, nowMs));
    if (request.verb == ActionVerb::PurgeQueue)
        return planPurge(db, request.scope.queue, declaredQueues);
    REDRIVE_ASSIGN(items, freezeItems(db, request, limits, nowMs));
    REDRIVE_ASSIGN(leaves, leavesDelivered(db, request));
    ActionPlan plan;
    plan.total = int(items.size());
    QMap<QString, int> skipped;
    for (const QString& item : items) {
        auto refusal = isQueueVerb(request.verb) ? queueRefusal(db, request.verb, item, declaredQueues)
                                                 : judge(db, request, item, limits, leaves, nowMs);
        if (!refusal)
            return fail(refusal.error());
        if (!refusal->isEmpty()) {
            ++skipped[*refusal];
            continue;
        }
        ++plan.willAct;
        if (plan.sampleIds.size() < kSampleIds)
            plan.sampleIds.append(item);
    }
    for (auto it = skipped.cbegin(); it != skipped.cend(); ++it)
        plan.skipped.append({it.key(), it.value()});
    return plan;
}

} // namespace redrive
