// The lanes of endpoints: how much is in flight, what may go out, and when a lane that waits goes on. A lane
// exists only while its endpoint has something in flight, due, or asked for, so memory does not grow with the
// backlog; finding the next one costs the same however many wait. Changes are made on copies that a turn's
// commit takes over. Control thread.
#pragma once

#include "core/webhooks/endpoint_registry.h"
#include "core/webhooks/lane_memory.h"

#include <QStringList>

#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

namespace redrive {

// What the lanes want next.
struct LaneOutlook
{
    bool ready = false;    // a delivery may go out now
    bool mustHold = false; // there are deliveries to hold
    bool waitsForNetwork = false;
    // The first lane that goes on: after a pause or by its breaker, and by its rate.
    std::optional<qint64> wallMs;
    std::optional<qint64> steadyMs;
};

class LaneBook final
{
public:
    // `mostOfOne`: no lane has more in flight, whatever its endpoint allows.
    LaneBook(const EndpointRegistry& registry, int mostOfOne) : m_registry(registry), m_mostOfOne(mostOfOne)
    {
    }

    // Before anything else of a turn: the moment that all of it is judged at.
    void beginTurn(const Moment& now) { m_now = now; }

    // The turn's copy; a new lane takes its limit, rate and pause from the registry.
    Lane& edit(const QString& endpointId);
    // The same, with the registry's settings read again.
    Lane& refresh(const QString& endpointId);
    QStringList known() const;
    // It was its turn: it goes to the end of the round.
    Lane& serve(const QString& endpointId);
    void useSettings(Lane& lane, const EndpointSettings& settings) const;

    void markDue(const QString& endpointId);
    void markFresh(const QString& endpointId);

    // Lanes that may send now, those that waited longest first.
    std::vector<QString> ready(size_t most);
    QStringList toHold() const;
    std::set<QString> waitingForNetwork() const;
    // What was unreachable no longer counts in any breaker. Returns the endpoints whose breakers closed.
    std::vector<QString> forgiveUnreachable();

    void commit();
    void discard();
    // After the commit.
    LaneOutlook outlook();

private:
    enum class Place { None, Round, WaitsWall, WaitsSteady };
    struct Entry
    {
        Lane lane;
        Place place = Place::None;
        qint64 at = 0; // the key in m_round, m_wall or m_steady
    };
    struct Edited
    {
        Lane lane;
        bool served = false;
    };
    using Waiting = std::set<std::pair<qint64, QString>>;

    Edited& copyOf(const QString& endpointId);
    void applySettings(const QString& endpointId, Lane& lane) const;
    const Lane& current(const QString& endpointId) const;
    void commit(bool served);
    void wake(Waiting& waiting, qint64 nowMs);
    void file(const QString& endpointId, Entry& entry, bool toTheEnd);
    void unfile(const QString& endpointId, Entry& entry);
    void put(const QString& endpointId, Entry& entry, Place place, qint64 at);

    const EndpointRegistry& m_registry;
    int m_mostOfOne;
    Moment m_now;
    std::unordered_map<QString, Entry> m_lanes;
    LaneMemory m_idle;
    std::map<qint64, QString> m_round; // by ticket: who may send, in turn
    Waiting m_wall;                    // by the ms at which they go on
    Waiting m_steady;
    std::set<QString> m_toHold;
    std::set<QString> m_waitForNetwork;
    qint64 m_lastTicket = 0;

    std::unordered_map<QString, Edited> m_turn;
    std::vector<QString> m_turnOrder;
};

} // namespace redrive
