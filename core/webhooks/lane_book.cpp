#include "core/webhooks/lane_book.h"

namespace redrive {

LaneBook::Edited& LaneBook::copyOf(const QString& endpointId)
{
    const auto [entry, isNew] = m_turn.try_emplace(endpointId);
    Lane& lane = entry->second.lane;
    if (!isNew)
        return entry->second;
    m_turnOrder.push_back(endpointId);
    if (const auto known = m_lanes.find(endpointId); known != m_lanes.end()) {
        lane = known->second.lane;
        return entry->second;
    }
    lane.limit = std::min(m_registry.defaults().maxInFlight, m_mostOfOne);
    m_idle.restore(endpointId, lane);
    applySettings(endpointId, lane);
    return entry->second;
}

void LaneBook::applySettings(const QString& endpointId, Lane& lane) const
{
    const auto endpoint = m_registry.find(endpointId);
    lane.paused = endpoint && endpoint->settings.paused;
    if (endpoint)
        useSettings(lane, endpoint->settings);
}

Lane& LaneBook::refresh(const QString& endpointId)
{
    Lane& lane = edit(endpointId);
    applySettings(endpointId, lane);
    return lane;
}

QStringList LaneBook::known() const
{
    QStringList ids;
    for (const auto& [id, edited] : m_turn)
        ids.append(id);
    for (const auto& [id, entry] : m_lanes) {
        if (!m_turn.contains(id))
            ids.append(id);
    }
    return ids;
}

Lane& LaneBook::edit(const QString& endpointId)
{
    return copyOf(endpointId).lane;
}

Lane& LaneBook::serve(const QString& endpointId)
{
    Edited& edited = copyOf(endpointId);
    edited.served = true;
    return edited.lane;
}

void LaneBook::useSettings(Lane& lane, const EndpointSettings& settings) const
{
    lane.known = true;
    lane.limit = std::min(settings.maxInFlight, m_mostOfOne);
    lane.rate.setRate(settings.ratePerSecond, m_now.steadyMs);
}

void LaneBook::markDue(const QString& endpointId)
{
    Lane& lane = edit(endpointId);
    lane.due.fill(true);
    lane.mustHold = lane.takesNothing();
}

void LaneBook::markFresh(const QString& endpointId)
{
    Lane& lane = edit(endpointId);
    lane.due[size_t(SendClass::Fresh)] = true;
    lane.mustHold = lane.takesNothing();
}

const Lane& LaneBook::current(const QString& endpointId) const
{
    if (const auto edited = m_turn.find(endpointId); edited != m_turn.end())
        return edited->second.lane;
    return m_lanes.find(endpointId)->second.lane;
}

void LaneBook::wake(Waiting& waiting, qint64 nowMs)
{
    while (!waiting.empty() && waiting.begin()->first <= nowMs) {
        const QString id = waiting.begin()->second;
        Entry& entry = m_lanes.find(id)->second;
        unfile(id, entry);
        put(id, entry, Place::Round, ++m_lastTicket);
    }
}

std::vector<QString> LaneBook::ready(size_t most)
{
    wake(m_wall, m_now.wallMs);
    wake(m_steady, m_now.steadyMs);
    std::vector<QString> found;
    for (const auto& [ticket, id] : m_round) {
        if (found.size() == most)
            return found;
        if (current(id).room(m_now) > 0)
            found.push_back(id);
        else
            edit(id); // it is filed anew
    }
    for (const QString& id : m_turnOrder) {
        if (found.size() == most)
            break;
        const auto kept = m_lanes.find(id);
        const bool inTheRound = kept != m_lanes.end() && kept->second.place == Place::Round;
        if (!inTheRound && current(id).room(m_now) > 0)
            found.push_back(id);
    }
    return found;
}

QStringList LaneBook::toHold() const
{
    QStringList ids;
    for (const QString& id : m_toHold) {
        if (!m_turn.contains(id))
            ids.append(id);
    }
    for (const auto& [id, edited] : m_turn) {
        if (edited.lane.mustHold)
            ids.append(id);
    }
    return ids;
}

std::set<QString> LaneBook::waitingForNetwork() const
{
    std::set<QString> ids = m_waitForNetwork;
    for (const auto& [id, edited] : m_turn) {
        if (edited.lane.waitsForNetwork)
            ids.insert(id);
        else
            ids.erase(id);
    }
    return ids;
}

std::vector<QString> LaneBook::forgiveUnreachable()
{
    std::vector<QString> closed;
    const auto forgive = [&](const QString& id) {
        if (edit(id).breaker.forgiveUnreachable())
            closed.push_back(id);
    };
    for (size_t i = 0, edited = m_turnOrder.size(); i < edited; ++i)
        forgive(QString(m_turnOrder[i])); // the list grows meanwhile
    for (const auto& [id, entry] : m_lanes) {
        if (!m_turn.contains(id) && entry.lane.breaker.hasUnreachable())
            forgive(id);
    }
    m_idle.visit([](const QString&, Breaker& breaker) { breaker.forgiveUnreachable(); });
    return closed;
}

LaneOutlook LaneBook::outlook()
{
    wake(m_wall, m_now.wallMs);
    wake(m_steady, m_now.steadyMs);
    LaneOutlook outlook;
    outlook.ready = !m_round.empty();
    outlook.mustHold = !m_toHold.empty();
    outlook.waitsForNetwork = !m_waitForNetwork.empty();
    if (!m_wall.empty())
        outlook.wallMs = m_wall.begin()->first;
    if (!m_steady.empty())
        outlook.steadyMs = m_steady.begin()->first;
    return outlook;
}

void LaneBook::commit()
{
    // Who had a turn goes behind everybody else.
    for (const bool served : {false, true})
        commit(served);
    discard();
}

void LaneBook::commit(bool served)
{
    for (const QString& id : m_turnOrder) {
        const Edited& edited = m_turn.find(id)->second;
        if (edited.served != served)
            continue;
        if (edited.lane.isIdle(m_now.wallMs)) {
            if (const auto known = m_lanes.find(id); known != m_lanes.end()) {
                unfile(id, known->second);
                m_lanes.erase(known);
            }
            m_toHold.erase(id);
            m_waitForNetwork.erase(id);
            m_idle.keep(id, edited.lane, m_now.steadyMs);
            continue;
        }
        m_idle.forget(id);
        Entry& entry = m_lanes[id];
        entry.lane = edited.lane;
        file(id, entry, served);
    }
}

void LaneBook::discard()
{
    m_turn.clear();
    m_turnOrder.clear();
}

void LaneBook::file(const QString& endpointId, Entry& entry, bool toTheEnd)
{
    const Lane& lane = entry.lane;
    if (lane.mustHold)
        m_toHold.insert(endpointId);
    else
        m_toHold.erase(endpointId);

    if (lane.waitsForNetwork)
        m_waitForNetwork.insert(endpointId);
    else
        m_waitForNetwork.erase(endpointId);

    const bool stays = entry.place == Place::Round && !toTheEnd;
    if (stays && lane.room(m_now) > 0)
        return;
    unfile(endpointId, entry);
    if (!lane.hasDue() || lane.isPaused() || lane.waitsForNetwork || lane.freeSlots() == 0)
        return; // what ends one of these files it anew
    if (lane.room(m_now) > 0) {
        put(endpointId, entry, Place::Round, ++m_lastTicket);
        return;
    }
    const bool probing = lane.breaker.state() == Breaker::State::HalfOpen;
    const qint64 untilMs =
        std::max(lane.pausedUntilMs, lane.breaker.isOpen() ? lane.breaker.openUntilMs() : 0);
    if (untilMs > m_now.wallMs)
        put(endpointId, entry, Place::WaitsWall, untilMs);
    else if (!probing)
        put(endpointId, entry, Place::WaitsSteady, lane.rate.readyAtMs(m_now.steadyMs));
}

void LaneBook::unfile(const QString& endpointId, Entry& entry)
{
    switch (entry.place) {
    case Place::None:
        break;
    case Place::Round:
        m_round.erase(entry.at);
        break;
    case Place::WaitsWall:
        m_wall.erase({entry.at, endpointId});
        break;
    case Place::WaitsSteady:
        m_steady.erase({entry.at, endpointId});
        break;
    }
    entry.place = Place::None;
}

void LaneBook::put(const QString& endpointId, Entry& entry, Place place, qint64 at)
{
    entry.place = place;
    entry.at = at;
    if (place == Place::Round)
        m_round.emplace(at, endpointId);
    else
        (place == Place::WaitsWall ? m_wall : m_steady).emplace(at, endpointId);
}

} // namespace redrive
