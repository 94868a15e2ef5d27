// How far system_telemetry is behind what came. Pure; any thread.
#pragma once

#include "core/domain/overview.h"

#include <algorithm>

namespace redrive {

inline constexpr qint64 kTelemetryLagMs = 10'000; // how long a batch tells, as its rate does

// The longer of what the oldest row of the last batch waited, for ten seconds after it was written, and of
// what the oldest event waits that is in the queue now. Milliseconds; 0: nothing waits and nothing was
// written lately. `queue` is the telemetry queue; nothing: there is none, or it is not known yet.
inline qint64 telemetryLagMs(const TelemetryFigures& writer, const QueueStats* queue, qint64 nowMs)
{
    const bool lately = writer.lastRowMs && nowMs - *writer.lastRowMs <= kTelemetryLagMs;
    const qint64 wrote = lately ? writer.lagMs.value_or(0) : 0;
    const qint64 waits = queue && queue->oldestWaitingMs ? nowMs - *queue->oldestWaitingMs : 0;
    return std::max({qint64(0), wrote, waits});
}

} // namespace redrive
