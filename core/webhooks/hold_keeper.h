// Endpoints that take nothing for now: deliveries of disabled and paused ones become held, and wait again
// once they are enabled; in slices, so that a long backlog never stops a turn. Control thread, inside a
// turn's transaction.
#pragma once

#include "core/webhooks/lane_book.h"

#include "core/store/cycle.h"

namespace redrive {

class DueFinder;

class HoldKeeper final
{
public:
    // An endpoint that answered 410 takes deliveries again; those held go out.
    Status enable(Cycle& cycle, LaneBook& lanes, const QString& endpointId);

    // What the store knows about endpoints is read again in the next turn.
    void reload() { m_loaded = false; }
    Status work(Cycle& cycle, LaneBook& lanes, DueFinder& finder);
    bool hasWork() const { return !m_loaded || !m_toRelease.isEmpty(); }

    void commit();
    void discard()
    {
        m_released.clear();
        m_loads = false;
    }

private:
    Status load(Cycle& cycle, LaneBook& lanes);

    bool m_loaded = false;   // what the store knows is in the lanes
    bool m_loads = false;    // in this turn
    QStringList m_toRelease; // endpoints whose held deliveries are to wait again
    QStringList m_released;  // of those, by this turn
};

} // namespace redrive
