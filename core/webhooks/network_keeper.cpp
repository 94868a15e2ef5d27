#include "core/webhooks/network_keeper.h"

#include "core/base/log.h"
#include "core/store/delivery_due_store.h"
#include "core/store/delivery_hold_store.h"
#include "core/webhooks/breaker_keeper.h"

namespace redrive {

namespace {

constexpr int kDueLookedAt = 500;

// A connection that was not made in time may be the network's fault or the host's.
bool reachedSomething(EndpointVerdict verdict, const HttpOutcome& outcome)
{
    return verdict == EndpointVerdict::Good ||
           (outcome.errorCode != u"timeout_connect" && outcome.errorCode != u"connect_failed");
}

} // namespace

Result<bool> NetworkKeeper::note(Cycle& cycle, LaneBook& lanes, const Sending& sending,
                                 EndpointVerdict verdict, const HttpOutcome& outcome)
{
    const Moment now{cycle.nowMs, cycle.steadyMs};
    const bool answered =
        outcome.outcome == HttpOutcome::Class::Answered; // also 400, which says nothing else
    if (verdict == EndpointVerdict::None && !answered) {
        if (sending.networkProbe)
            m_turn.probeSaidNothing(now);
        return false;
    }
    const TargetHost host = m_hosts.of(sending.url);
    if (host.isLocal)
        return false;
    if (verdict == EndpointVerdict::Unreachable) {
        const OfflineWatch::Miss miss{sending.delivery.rowKey, sending.attempt(), host.name, now.steadyMs};
        if (m_turn.missed(miss, sending.networkProbe, now, m_isCutOff && m_isCutOff()))
            REDRIVE_TRY(goOffline(cycle, lanes, outcome.errorText));
        return isOffline();
    }
    if (!reachedSomething(verdict, outcome)) {
        if (sending.networkProbe)
            m_turn.probeSaidNothing(now);
        return false;
    }
    if (m_turn.reached(host.name, now))
        goOnline(lanes);
    return false;
}

Status NetworkKeeper::goOffline(Cycle& cycle, LaneBook& lanes, const QString& error)
{
    logEvent(LogLevel::Warning, "offline", {{"error", error}});
    for (const OfflineWatch::Miss& miss : m_turn.misses())
        REDRIVE_TRY(delivery_hold_store::giveBack(cycle, miss.rowKey, miss.attempt));
    for (const QString& endpointId : lanes.forgiveUnreachable())
        REDRIVE_TRY(breaker_keeper::save(cycle, lanes.edit(endpointId), endpointId));
    cycle.lookAtDeliveries = true; // given back ones are due
    cycle.changes.deliveries = true;
    return {};
}

void NetworkKeeper::goOnline(LaneBook& lanes)
{
    logEvent(LogLevel::Notice, "online", {});
    for (const QString& endpointId : lanes.waitingForNetwork())
        lanes.edit(endpointId).waitsForNetwork = false;
}

Result<std::optional<QString>> NetworkKeeper::wantsProbe(Cycle& cycle, const LaneBook& lanes) const
{
    const auto at = m_turn.nextProbeMs();
    if (!at || *at > cycle.steadyMs)
        return std::nullopt;
    const std::set<QString> waiting = lanes.waitingForNetwork();
    REDRIVE_ASSIGN(due, delivery_due_store::endpointsDue(cycle.db, 0, cycle.nowMs, kDueLookedAt));
    std::optional<QString> found;
    // The oldest, and not the same endpoint twice where another one waits: its name may be wrong.
    for (const QString& endpointId : due) {
        if (!waiting.contains(endpointId))
            continue;
        if (endpointId != m_turn.lastProbed())
            return endpointId;
        found = endpointId;
    }
    for (const QString& endpointId : waiting) {
        if (endpointId != m_turn.lastProbed())
            return endpointId;
        found = endpointId;
    }
    return found;
}

} // namespace redrive
