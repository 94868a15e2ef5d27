#include "core/webhooks/breaker_keeper.h"

#include "core/base/log.h"
#include "core/store/alert_store.h"
#include "core/store/breaker_store.h"

namespace redrive::breaker_keeper {

namespace {

constexpr int kMostLoaded = 100'000;
constexpr qint64 kForgottenAfterMs = 86'400'000;

} // namespace

Status load(Cycle& cycle, LaneBook& lanes)
{
    REDRIVE_TRY(breaker_store::removeForgotten(cycle, cycle.nowMs - kForgottenAfterMs));
    REDRIVE_ASSIGN(open, breaker_store::all(cycle.db, kMostLoaded));
    for (const OpenBreaker& breaker : open)
        lanes.edit(breaker.endpointId).breaker = Breaker::opened(breaker.openUntilMs, breaker.openings);
    return {};
}

Status record(Cycle& cycle, Lane& lane, const QString& endpointId, EndpointVerdict verdict, bool isProbe)
{
    return lane.breaker.record(verdict, isProbe, cycle.nowMs) ? save(cycle, lane, endpointId) : Status();
}

Status save(Cycle& cycle, const Lane& lane, const QString& endpointId)
{
    const Breaker& breaker = lane.breaker;
    if (!breaker.isOpen()) {
        logEvent(LogLevel::Notice, "breaker_closed", {{"endpoint", endpointId}});
        REDRIVE_TRY(alert_store::note(cycle, AlertKind::BreakerClosed, endpointId, {}));
        return breaker_store::remove(cycle, endpointId);
    }
    logEvent(LogLevel::Warning, "breaker_open",
             {{"endpoint", endpointId},
              {"seconds", QString::number((breaker.openUntilMs() - cycle.nowMs) / 1'000)},
              {"openings", QString::number(breaker.openings())}});
    if (breaker.openings() == 1) // what follows is a probe that failed
        REDRIVE_TRY(alert_store::note(cycle, AlertKind::BreakerOpen, endpointId, {}));
    return breaker_store::keep(cycle, {endpointId, cycle.nowMs, breaker.openUntilMs(), breaker.openings()});
}

} // namespace redrive::breaker_keeper
