#include "core/telemetry/telemetry_retention.h"

#include "core/base/log.h"
#include "core/store/lone_change.h"

#include <algorithm>
#include <limits>

namespace redrive {

using telemetry_store::PruneReason;

bool TelemetryRetention::hasWork(qint64, qint64 steadyMs) const
{
    return !m_state.nextAtSteadyMs || steadyMs >= *m_state.nextAtSteadyMs;
}

Status TelemetryRetention::apply(Cycle& cycle)
{
    if (!hasWork(cycle.nowMs, cycle.steadyMs))
        return {};
    if (!m_state.nextAtSteadyMs) {
        m_state.nextAtSteadyMs = cycle.steadyMs + kEveryMs;
        return {};
    }
    auto deleted = changeAlone(cycle, [&] { return slice(cycle); });
    if (!deleted && concernsTheStore(deleted.error()))
        return fail(std::move(deleted.error()));
    if (!deleted) { // by a trigger of the user's: it holds nothing else up
        logEvent(LogLevel::Error, "telemetry_retention_refused", {{"error", deleted.error().text()}});
        m_state = {cycle.steadyMs + kRefusedMs};
        return {};
    }
    if (*deleted > 0)
        m_state.nextAtSteadyMs = cycle.steadyMs + kPauseMs;
    else
        m_state = {cycle.steadyMs + kEveryMs};
    cycle.changes.telemetry |= *deleted > 0;
    return {};
}

Result<int> TelemetryRetention::slice(Cycle& cycle)
{
    REDRIVE_ASSIGN(old, deleteOldest(cycle, PruneReason::Age, cycle.nowMs - m_keptMs, kMost));
    return old > 0 ? old : tooMany(cycle);
}

Result<int> TelemetryRetention::tooMany(Cycle& cycle)
{
    if (!m_keptBytes)
        return 0;
    REDRIVE_ASSIGN(held, telemetry_store::size(cycle.db));
    const qint64 rows = held.rows - held.keptRows;
    const qint64 bytes = held.bytes - held.keptBytes;
    if (bytes <= *m_keptBytes || rows <= 0)
        return 0;
    const qint64 usual = std::max<qint64>(1, bytes / rows);
    const qint64 wanted = (bytes - *m_keptBytes + usual - 1) / usual;
    return deleteOldest(cycle, PruneReason::Size, std::numeric_limits<qint64>::max(), wanted);
}

Result<int> TelemetryRetention::deleteOldest(Cycle& cycle, PruneReason reason, qint64 untilMs, qint64 most)
{
    bool& begun = reason == PruneReason::Age ? m_state.byAge : m_state.bySize;
    REDRIVE_ASSIGN(deleted, telemetry_store::deleteOldest(cycle, reason, untilMs,
                                                          int(std::min<qint64>(most, kMost)), begun));
    begun |= deleted > 0;
    return deleted;
}

} // namespace redrive
