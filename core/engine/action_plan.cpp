#include "core/engine/action_plan.h"

#include "core/deadletter/action_rules.h"
#include "core/deadletter/queue_action.h"
#include "core/queue/purge.h"
#include "core/store/action_scope.h"
#include "core/webhooks/replay.h"

#include <QMap>

namespace redrive {

namespace {

constexpr int kSampleIds = 10;

Result<QString> judge(Connection& db, const ActionRequest& request, const QString& item, qint64 nowMs)
{
    REDRIVE_ASSIGN(subject, readActionSubject(db, item));
    const QString refusal = refusalOf(request.verb, subject, request.scope.queue, nowMs);
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

} // namespace

Status checkRequest(const ActionRequest& request)
{
    const ActionScope& scope = request.scope;
    if (isQueueVerb(request.verb))
        return scope.queue.isEmpty() ? Status(fail(ErrorKind::InvalidInput, u"name a queue"_s)) : Status();
    if (scope.matching != scope.ids.isEmpty())
        return fail(ErrorKind::InvalidInput, u"name ids or a filter, not both"_s);
    return {};
}

Result<ActionPlan> planAction(Connection& db, const ActionRequest& request, const QStringList& declaredQueues,
                              qint64 nowMs)
{
    REDRIVE_TRY(checkRequest(request));
    if (request.verb == ActionVerb::PurgeQueue)
        return planPurge(db, request.scope.queue, declaredQueues);
    REDRIVE_ASSIGN(items, freezeScope(db, request, nowMs));
    ActionPlan plan;
    plan.total = int(items.size());
    QMap<QString, int> skipped;
    for (const QString& item : items) {
        auto refusal = isQueueVerb(request.verb) ? queueRefusal(db, request.verb, item, declaredQueues)
                                                 : judge(db, request, item, nowMs);
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
