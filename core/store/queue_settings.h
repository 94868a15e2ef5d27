// Pausing and resuming queues, kept with the data so that it outlives every engine. Inside a turn's
// transaction; reads on any connection.
#pragma once

#include "core/store/cycle.h"

namespace redrive::queue_settings {

struct PauseState
{
    bool known = false; // the store has heard of the queue
    bool paused = false;
};

Result<PauseState> pauseState(Connection& db, const QString& queue);
Status pause(Cycle& cycle, const QString& queue, const QString& actor);
Status resume(Cycle& cycle, const QString& queue);

} // namespace redrive::queue_settings
