#include "core/webhooks/delivery_dispatcher.h"

#include "core/base/log.h"
#include "core/store/lone_change.h"
#include "core/webhooks/breaker_keeper.h"

#include <algorithm>

namespace redrive {

DeliveryDispatcher::DeliveryDispatcher(DispatcherParts parts)
    : m_parts(std::move(parts)), m_lanes(m_parts.registry, std::max(1, m_parts.maxInFlight / 2)),
      m_network(m_parts.isCutOff), m_recorder(m_parts.backoff, m_parts.random, m_network),
      m_claimer(m_parts.registry, m_network)
{
}

void DeliveryDispatcher::take(std::vector<HttpOutcome> outcomes)
{
    if (m_inbox.put(std::move(outcomes)))
        m_parts.wake();
}

void DeliveryDispatcher::noticeFresh(const QString& eventId, QByteArray body, const QStringList& endpointIds)
{
    m_claimer.keepFresh(eventId, std::move(body));
    m_freshEndpoints += endpointIds;
}

void DeliveryDispatcher::cancelRequest(qint64 rowKey)
{
    for (const auto& [token, sending] : m_inFlight)
        if (sending.delivery.rowKey == rowKey && m_parts.cancel)
            m_parts.cancel(token);
}

bool DeliveryDispatcher::hasWork(qint64 nowMs, qint64 steadyMs) const
{
    return m_moreNow || !m_outcomes.empty() || !m_inbox.isEmpty() || m_finder.hasWork(nowMs) ||
           (m_deadlineMs && *m_deadlineMs <= steadyMs);
}

std::optional<qint64> DeliveryDispatcher::nextDeadline() const
{
    return m_moreNow ? std::optional(m_turnSteadyMs) : m_deadlineMs;
}

Status DeliveryDispatcher::apply(Cycle& cycle)
{
    m_lanes.beginTurn({cycle.nowMs, cycle.steadyMs});
    m_network.beginTurn();
    REDRIVE_TRY(record(cycle));
    if (cycle.lookAtDeliveries)
        m_finder.lookEverywhere();
    for (const QString& endpointId : std::as_const(m_freshEndpoints))
        m_lanes.markFresh(endpointId);
    if (!cycle.recordsOnly) {
        REDRIVE_TRY(loadBreakers(cycle));
        REDRIVE_TRY(m_finder.look(cycle, m_lanes));
        REDRIVE_TRY(m_holds.work(cycle, m_lanes, m_finder));
    }
    if (!m_stopping && !cycle.recordsOnly && !cycle.endpointsChanged) {
        REDRIVE_ASSIGN(claims, m_claimer.claimDue(cycle, m_lanes, freeCapacity(), m_careful));
        m_turn.claims = std::move(claims);
        REDRIVE_TRY(m_claimer.claimProbe(cycle, m_lanes, m_turn.claims));
        if (m_careful)
            m_finder.note(cycle.nowMs + DeliveryClaimer::kPutOffMs);
    }
    cycle.afterCommit.push_back(
        [this, nowMs = cycle.nowMs, steadyMs = cycle.steadyMs] { commitTurn(nowMs, steadyMs); });
    return {};
}

// Before the first delivery goes out.
Status DeliveryDispatcher::loadBreakers(Cycle& cycle)
{
    if (m_breakersLoaded)
        return {};
    REDRIVE_TRY(breaker_keeper::load(cycle, m_lanes));
    m_turn.loadedBreakers = true;
    return {};
}

Status DeliveryDispatcher::record(Cycle& cycle)
{
    m_inbox.takeInto(m_outcomes);
    for (const HttpOutcome& outcome : m_outcomes) {
        const auto sending = m_inFlight.find(outcome.token);
        if (sending == m_inFlight.end()) {
            logEvent(LogLevel::Warning, "delivery_outcome_unknown",
                     {{"token", QString::number(outcome.token)}});
            continue;
        }
        const auto record = [&] {
            return m_recorder.record(cycle, sending->second, outcome, m_lanes, m_holds, m_turn.recorded,
                                     m_careful);
        };
        const Result<bool> recorded = m_careful ? changeAlone(cycle, record) : record();
        if (!recorded && (!m_careful || concernsTheStore(recorded.error())))
            return fail(recorded.error());
        if (recorded && *recorded)
            m_figures.count(sending->second.endpointId, outcome);
        if (!recorded) // it stays under way in the store until this engine has ended, and is sent again then
            logEvent(LogLevel::Error, "delivery_outcome_refused",
                     {{"delivery", sending->second.delivery.id}, {"error", recorded.error().text()}});
        m_turn.settled.push_back(outcome.token);
    }
    REDRIVE_TRY(m_recorder.settleTogether(cycle, m_turn.recorded));
    if (m_turn.recorded.earliestDueMs)
        m_finder.note(*m_turn.recorded.earliestDueMs);
    return m_figures.write(cycle);
}

int DeliveryDispatcher::freeCapacity() const
{
    return m_parts.maxInFlight - int(m_inFlight.size()) + int(m_turn.settled.size());
}

void DeliveryDispatcher::commitTurn(qint64 nowMs, qint64 steadyMs)
{
    for (const quint64 token : m_turn.settled)
        m_inFlight.erase(token);
    m_outcomes.clear();
    m_careful = false;
    m_freshEndpoints.clear();
    m_lanes.commit();
    m_network.commit();
    m_breakersLoaded = m_breakersLoaded || m_turn.loadedBreakers;
    m_totals.offlineSinceMs = m_network.offlineSinceMs().value_or(0);
    m_holds.commit();
    m_figures.commit();
    m_totals.delivered += m_turn.recorded.delivered;
    m_totals.failed += m_turn.recorded.failed;
    m_totals.dead += m_turn.recorded.dead;
    sendClaims();
    m_claimer.endTurn();
    m_turn = {};
    planAhead(nowMs, steadyMs);
}

void DeliveryDispatcher::sendClaims()
{
    std::vector<HttpRequest> requests;
    std::vector<quint64> tokens; // of the requests
    std::vector<HttpOutcome> answered;
    for (ClaimedDelivery& claim : m_turn.claims) {
        const quint64 token = ++m_lastToken;
        m_inFlight.emplace(token, std::move(claim.sending));
        if (claim.immediate) {
            claim.immediate->token = token;
            answered.push_back(*std::move(claim.immediate));
        } else {
            claim.request.token = token;
            requests.push_back(std::move(claim.request));
            tokens.push_back(token);
        }
    }
    if (!requests.empty() && !m_parts.send(std::move(requests))) {
        for (const quint64 token : tokens) {
            HttpOutcome outcome;
            outcome.token = token;
            outcome.errorCode = u"cancelled"_s;
            outcome.errorText = u"the engine is stopping"_s;
            answered.push_back(std::move(outcome));
        }
    }
    if (!answered.empty())
        take(std::move(answered));
}

void DeliveryDispatcher::planAhead(qint64 nowMs, qint64 steadyMs)
{
    const LaneOutlook outlook = m_lanes.outlook();
    const bool canSend = outlook.ready && !m_stopping && freeCapacity() > 0;
    m_moreNow = canSend || outlook.mustHold || m_holds.hasWork() || m_finder.hasWork(nowMs);
    m_turnSteadyMs = steadyMs;
    m_deadlineMs = outlook.steadyMs;
    if (const auto probeMs = m_network.nextProbeMs(); probeMs && outlook.waitsForNetwork)
        m_deadlineMs = std::min(m_deadlineMs.value_or(*probeMs), *probeMs);
    for (const std::optional<qint64>& at : {m_finder.nextDueMs(), outlook.wallMs}) {
        if (!at)
            continue;
        const qint64 deadline = steadyMs + std::max<qint64>(0, *at - nowMs);
        m_deadlineMs = std::min(m_deadlineMs.value_or(deadline), deadline);
    }
}

void DeliveryDispatcher::rolledBack(const Error& error)
{
    m_careful = m_careful || !concernsTheStore(error);
    m_turn = {};
    m_lanes.discard();
    m_holds.discard();
    m_figures.discard();
    m_claimer.endTurn();
    m_freshEndpoints.clear();
    m_finder.lookEverywhere();
    m_moreNow = true;
}

} // namespace redrive
