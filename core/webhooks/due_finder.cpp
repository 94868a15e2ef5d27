#include "core/webhooks/due_finder.h"

#include "core/store/delivery_due_store.h"

#include <algorithm>

namespace redrive {

namespace {

constexpr int kEndpointsPerTurn = 256;
constexpr int kTimersPerTurn = 1'000;

} // namespace

void DueFinder::note(qint64 dueMs)
{
    m_nextDueMs = std::min(m_nextDueMs.value_or(dueMs), dueMs);
}

bool DueFinder::hasWork(qint64 nowMs) const
{
    return m_restart || m_askAfter || (m_nextDueMs && *m_nextDueMs <= nowMs);
}

Status DueFinder::look(Cycle& cycle, LaneBook& lanes)
{
    if (cycle.nowMs < m_seenUntilMs) // the clock was set back
        m_restart = true;
    if (!m_restart && !hasWork(cycle.nowMs))
        return {};
    if (m_restart) {
        m_restart = false;
        m_askAfter = QString();
        m_seenUntilMs = cycle.nowMs - 1;
    } else {
        REDRIVE_TRY(followTimers(cycle, lanes));
    }
    if (m_askAfter)
        REDRIVE_TRY(askEndpoints(cycle, lanes));
    REDRIVE_ASSIGN(next, delivery_due_store::nextDueAfter(cycle.db, cycle.nowMs));
    m_nextDueMs = next;
    return {};
}

Status DueFinder::askEndpoints(Cycle& cycle, LaneBook& lanes)
{
    for (int asked = 0; asked < kEndpointsPerTurn; ++asked) {
        REDRIVE_ASSIGN(endpoint, delivery_due_store::nextEndpoint(cycle.db, *m_askAfter));
        if (!endpoint) {
            m_askAfter.reset();
            return {};
        }
        if (endpoint->earliestMs <= cycle.nowMs)
            lanes.markDue(endpoint->endpointId);
        m_askAfter = endpoint->endpointId;
    }
    return {};
}

Status DueFinder::followTimers(Cycle& cycle, LaneBook& lanes)
{
    REDRIVE_ASSIGN(endpoints,
                   delivery_due_store::endpointsDue(cycle.db, m_seenUntilMs, cycle.nowMs, kTimersPerTurn));
    for (const QString& endpointId : endpoints)
        lanes.markDue(endpointId);
    if (endpoints.size() == kTimersPerTurn)
        m_restart = true;
    // Another delivery may still be given the due time of this very millisecond.
    m_seenUntilMs = cycle.nowMs - 1;
    return {};
}

} // namespace redrive
