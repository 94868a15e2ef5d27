// Finds the endpoints that have due deliveries. Timers are followed by their due time; after a start, a
// sleep, a clock set back or a change by somebody else every endpoint is asked once, which passes over their
// backlogs. Control thread.
#pragma once

#include "core/store/cycle.h"
#include "core/webhooks/lane_book.h"

namespace redrive {

class DueFinder final
{
public:
    // Ask every endpoint, from the next turn on.
    void lookEverywhere() { m_restart = true; }
    // A delivery was given this due time.
    void note(qint64 dueMs);

    bool hasWork(qint64 nowMs) const;
    // Unix ms of the next known due time.
    std::optional<qint64> nextDueMs() const { return m_nextDueMs; }

    // Marks lanes due.
    Status look(Cycle& cycle, LaneBook& lanes);

private:
    Status askEndpoints(Cycle& cycle, LaneBook& lanes);
    Status followTimers(Cycle& cycle, LaneBook& lanes);

    bool m_restart = true;
    std::optional<QString> m_askAfter; // the round of all endpoints stands here
    qint64 m_seenUntilMs = 0;          // everything due until then is known to the lanes or the round
    std::optional<qint64> m_nextDueMs;
};

} // namespace redrive
