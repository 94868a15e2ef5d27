#include "core/webhooks/lane_book.h"

#include <algorithm>

namespace redrive {

Lane& LaneBook::edit(const QString& endpointId)
{
    const auto [entry, isNew] = m_turn.try_emplace(endpointId);
    Lane& lane = entry->second;
    if (!isNew)
        return lane;
    if (const auto known = m_lanes.find(endpointId); known != m_lanes.end()) {
        lane = known->second;
        return lane;
    }
    applySettings(endpointId, lane);
    return lane;
}

void LaneBook::applySettings(const QString& endpointId, Lane& lane) const
{
    const auto endpoint = m_registry.find(endpointId);
    lane.limit = endpoint ? endpoint->settings.maxInFlight : m_registry.defaults().maxInFlight;
    lane.paused = endpoint && endpoint->settings.paused;
}

Lane& LaneBook::refresh(const QString& endpointId)
{
    Lane& lane = edit(endpointId);
    applySettings(endpointId, lane);
    return lane;
}

void LaneBook::markDue(const QString& endpointId)
{
    Lane& lane = edit(endpointId);
    lane.due = true;
    lane.mustHold = lane.takesNothing();
}

template <typename Visitor>
void LaneBook::visit(Visitor visitor) const
{
    for (const auto& [id, lane] : m_turn)
        visitor(id, lane);
    for (const auto& [id, lane] : m_lanes) {
        if (m_turn.empty() || !m_turn.contains(id))
            visitor(id, lane);
    }
}

QStringList LaneBook::known() const
{
    QStringList ids;
    visit([&](const QString& id, const Lane&) { ids.append(id); });
    return ids;
}

QStringList LaneBook::ready(qint64 nowMs) const
{
    QStringList ids;
    visit([&](const QString& id, const Lane& lane) {
        if (lane.ready(nowMs))
            ids.append(id);
    });
    return ids;
}

QStringList LaneBook::toHold() const
{
    QStringList ids;
    visit([&](const QString& id, const Lane& lane) {
        if (lane.mustHold)
            ids.append(id);
    });
    return ids;
}

LaneOutlook LaneBook::outlook(qint64 nowMs) const
{
    LaneOutlook outlook;
    visit([&](const QString&, const Lane& lane) {
        outlook.ready = outlook.ready || lane.ready(nowMs);
        outlook.mustHold = outlook.mustHold || lane.mustHold;
        if (lane.due && !lane.paused && !lane.pausedByOperator && lane.pausedUntilMs > nowMs)
            outlook.pauseEndsMs =
                std::min(outlook.pauseEndsMs.value_or(lane.pausedUntilMs), lane.pausedUntilMs);
    });
    return outlook;
}

void LaneBook::commit(qint64 nowMs)
{
    for (auto& [id, lane] : m_turn) {
        if (lane.forgettable(nowMs))
            m_lanes.erase(id);
        else
            m_lanes.insert_or_assign(id, lane);
    }
    m_turn.clear();
}

} // namespace redrive
