#include "core/webhooks/hold_keeper.h"

#include "core/domain/reason.h"
#include "core/store/delivery_hold_store.h"
#include "core/store/endpoint_state_store.h"
#include "core/webhooks/due_finder.h"

#include <QSet>

#include <utility>

namespace redrive {

namespace {

constexpr int kSlice = 500;

} // namespace

Status HoldKeeper::enable(Cycle& cycle, LaneBook& lanes, const QString& endpointId)
{
    Lane& lane = lanes.edit(endpointId);
    lane.disabled = false;
    lane.mustHold = lane.takesNothing();
    REDRIVE_TRY(endpoint_state_store::enable(cycle, endpointId, {}));
    m_toRelease.append(endpointId);
    return {};
}

Status HoldKeeper::load(Cycle& cycle, LaneBook& lanes)
{
    REDRIVE_ASSIGN(states, endpoint_state_store::states(cycle.db));
    QSet<QString> heldBack;
    for (const EndpointState& state : states) {
        if (!state.disabled && !state.pausedByOperator && state.pausedUntilMs <= cycle.nowMs)
            continue;
        heldBack.insert(state.id);
        Lane& lane = lanes.refresh(state.id);
        lane.disabled = state.disabled.has_value();
        lane.pausedByOperator = state.pausedByOperator;
        lane.mustHold = lane.takesNothing();
        lane.pausedUntilMs = state.pausedUntilMs;
    }
    for (const QString& endpointId : lanes.known()) {
        if (heldBack.contains(endpointId))
            continue;
        Lane& lane = lanes.refresh(endpointId);
        lane.disabled = false;
        lane.pausedByOperator = false;
        lane.mustHold = lane.takesNothing();
        lane.pausedUntilMs = 0;
    }
    REDRIVE_ASSIGN(held, delivery_hold_store::endpointsHeld(cycle.db));
    m_toRelease = held;
    return {};
}

Status HoldKeeper::work(Cycle& cycle, LaneBook& lanes, DueFinder& finder)
{
    if (!m_loaded) {
        REDRIVE_TRY(load(cycle, lanes));
        m_loads = true;
    }
    for (const QString& endpointId : lanes.toHold()) {
        Lane& lane = lanes.edit(endpointId);
        const QLatin1String& why = lane.disabled ? reason::kEndpointDisabled : reason::kEndpointPaused;
        REDRIVE_ASSIGN(held, delivery_hold_store::hold(cycle, endpointId, why, kSlice));
        lane.mustHold = held == kSlice;
    }
    for (const QString& endpointId : std::as_const(m_toRelease)) {
        const Lane& lane = lanes.edit(endpointId);
        int released = 0;
        if (!lane.takesNothing()) {
            REDRIVE_ASSIGN(count, delivery_hold_store::release(cycle, endpointId, kSlice));
            released = count;
            if (count > 0)
                finder.lookEverywhere();
        }
        if (released < kSlice)
            m_released.append(endpointId);
    }
    return {};
}

void HoldKeeper::commit()
{
    m_loaded = m_loaded || std::exchange(m_loads, false);
    for (const QString& endpointId : std::as_const(m_released))
        m_toRelease.removeAll(endpointId);
    m_released.clear();
}

} // namespace redrive
