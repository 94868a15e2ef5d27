#include "app/command_line/action_words.h"
#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/command_line/payload_input.h"
#include "app/operator_name.h"
#include "app/place.h"
#include "app/redrive_runner.h"
#include "core/base/clock.h"
#include "core/store/action_scope.h"

namespace redrive {

namespace {

ListKind listOf(ActionVerb verb)
{
    switch (verb) {
    case ActionVerb::Restore:
        return ListKind::Bin;
    case ActionVerb::Replay:
        return ListKind::Deliveries;
    case ActionVerb::RunNow:
    case ActionVerb::Postpone:
        return ListKind::Timers;
    case ActionVerb::Cancel:
        return ListKind::Jobs;
    default:
        return ListKind::DeadLetters;
    }
}

std::optional<qint64> sinceAgoMs(const Invocation& invocation)
{
    if (invocation.sinceMs)
        return std::max<qint64>(0, SystemClock().wallMs() - *invocation.sinceMs);
    return invocation.sinceAgoMs;
}

QString failedAtEndpoint(const Invocation& invocation)
{
    QString id = invocation.endpointId;
    id.replace(u'\\', u"\\\\"_s).replace(u'"', u"\\\""_s);
    const QString states = invocation.deliveredToo ? u"(status:failed OR status:dead OR status:delivered)"_s
                                                   : u"(status:failed OR status:dead)"_s;
    QString filter = u"endpoint:\"%1\" %2"_s.arg(id, states);
    if (const auto agoMs = sinceAgoMs(invocation))
        filter += u" age:<=%1s"_s.arg((*agoMs + 999) / 1000);
    return filter;
}

ActionRequest requestOf(const Invocation& invocation)
{
    ActionRequest request;
    request.verb = actionVerbFrom(invocation.command).value_or(ActionVerb::Requeue);
    request.scope.list = listOf(request.verb);
    request.actor = operatorName();
    request.source = u"command line"_s;
    request.reason = invocation.reason;
    if (request.verb == ActionVerb::Postpone) {
        request.dueAtMs = invocation.untilMs;
        if (invocation.delaySeconds)
            request.delayMs = *invocation.delaySeconds * 1000;
    }
    if (isQueueVerb(request.verb)) {
        request.scope.queue = invocation.names.first();
        return request;
    }
    request.pace = invocation.pace;
    request.pace.perSecond = invocation.ratePerSecond.value_or(0);
    if (request.verb == ActionVerb::ReplayMissing) {
        request.scope.ids = invocation.names;
        request.scope.endpointId = invocation.endpointId;
        if (const auto agoMs = sinceAgoMs(invocation))
            request.scope.sinceMs = SystemClock().wallMs() - *agoMs;
        return request;
    }
    if (invocation.deliveredToo)
        request.scope.deliveredToo = true;
    request.scope.ids = invocation.names;
    request.scope.matching = invocation.where.has_value() || !invocation.endpointId.isEmpty();
    request.scope.filter =
        invocation.endpointId.isEmpty() ? invocation.where.value_or(QString()) : failedAtEndpoint(invocation);
    request.scope.queue = invocation.toQueue;
    return request;
}

int printPlan(const ActionRequest& request, const ActionPlan& plan, bool json)
{
    if (json)
        printPlanJson(request.verb, plan);
    else
        printPlanWords(request.verb, plan);
    return exit_code::kDone;
}

int printResult(const ActionRequest& request, const ActionResult& result, bool json)
{
    if (json)
        printResultJson(request.verb, result);
    else
        printResultWords(request.verb, result);
    return result.refusedCount > 0 ? exit_code::kFailed : exit_code::kDone;
}

} // namespace

int runAction(const Invocation& invocation)
{
    const auto place = findPlace(invocation);
    if (!place)
        return failed(place.error());
    if (const auto allowed = mayChange(invocation); !allowed)
        return failed(allowed.error());
    ActionRequest request = requestOf(invocation);
    if (request.verb == ActionVerb::Edit) {
        auto payload = payloadInput(invocation.payload.value_or(QString()));
        if (!payload)
            return failed(payload.error());
        request.payload = *std::move(payload);
    }
    const auto db = openExisting(*place, invocation.dryRun ? Access::Reader : Access::Writer);
    if (!db)
        return failed(db.error());
    RedriveRunner runner(**db, place->settings, invocation.profile.engine);
    if (invocation.dryRun) {
        const auto plan = runner.plan(request);
        return plan ? printPlan(request, *plan, invocation.json) : failed(plan.error());
    }
    if (request.verb == ActionVerb::PurgeQueue && !invocation.yes) {
        printError(u"purge deletes for good: --dry-run shows how much, --yes does it"_s);
        return exit_code::kUsage;
    }
    const auto result = runner.run(request);
    return result ? printResult(request, *result, invocation.json) : failed(result.error());
}

} // namespace redrive
