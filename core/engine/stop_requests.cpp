#include "core/engine/stop_requests.h"

#include "core/store/stop_store.h"

#include <algorithm>

namespace redrive {

bool StopRequests::hasWork(qint64, qint64 steadyMs) const
{
    const std::optional<qint64> deadline = nextDeadline();
    return m_lookAtStore || (deadline && *deadline <= steadyMs);
}

std::optional<qint64> StopRequests::nextDeadline() const
{
    std::optional<qint64> next;
    for (const Asked& asked : m_asked)
        next = std::min(next.value_or(asked.nextAtMs), asked.nextAtMs);
    return next;
}

Status StopRequests::apply(Cycle& cycle)
{
    if (m_lookAtStore || cycle.stopsAsked)
        REDRIVE_TRY(look(cycle));
    return pressOn(cycle);
}

Status StopRequests::look(Cycle& cycle)
{
    REDRIVE_ASSIGN(claims, stop_store::askedClaims(cycle.db, cycle.instanceNo));
    REDRIVE_ASSIGN(deliveries, stop_store::askedDeliveries(cycle.db, cycle.instanceNo));
    cycle.afterCommit.push_back([this, claims, deliveries, untilMs = cycle.steadyMs + kPatienceMs] {
        m_lookAtStore = false;
        for (const qint64 claimNo : claims)
            if (!m_asked.contains(claimNo) && m_runner.askToStop(claimNo))
                m_asked.insert(claimNo, {untilMs, false});
        for (const qint64 rowKey : deliveries)
            m_deliveries.cancelRequest(rowKey);
    });
    return {};
}

Status StopRequests::pressOn(Cycle& cycle)
{
    std::vector<qint64> late;
    for (auto asked = m_asked.cbegin(); asked != m_asked.cend(); ++asked)
        if (asked->nextAtMs <= cycle.steadyMs)
            late.push_back(asked.key());
    for (const qint64 claimNo : late) {
        const bool cancelled = m_asked[claimNo].cancelled;
        REDRIVE_TRY(cancelled ? m_runner.giveUp(cycle, claimNo) : m_runner.cancelStubborn(cycle, claimNo));
    }
    if (late.empty())
        return {};
    cycle.afterCommit.push_back([this, late, nextMs = cycle.steadyMs + kGiveUpMs] {
        for (const qint64 claimNo : late) {
            if (m_asked[claimNo].cancelled || !m_runner.runs(claimNo))
                m_asked.remove(claimNo);
            else
                m_asked[claimNo] = {nextMs, true};
        }
    });
    return {};
}

} // namespace redrive
