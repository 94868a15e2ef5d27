// What the batch writer of telemetry did since the engine's start, and what it waits for. Any thread.
#pragma once

#include "core/domain/telemetry.h"

#include <mutex>

namespace redrive {

// One that has been committed.
struct TelemetryBatch
{
    int rows = 0;   // in the table now, those that were there before included
    int poison = 0; // refused for good
    int extraTransactions = 0;
    qint64 oldestMs = 0; // when its oldest row's event came
    qint64 writtenAtMs = 0;
};

class TelemetryCounters final
{
public:
    void add(const TelemetryBatch& batch)
    {
        std::lock_guard lock(m_mutex);
        m_figures.rows += quint64(batch.rows);
        m_figures.poison += quint64(batch.poison);
        m_figures.extraTransactions += quint64(batch.extraTransactions);
        m_figures.isolations += batch.poison > 0 ? 1 : 0;
        if (batch.rows == 0)
            return;
        ++m_figures.batches;
        m_figures.recentBatchSizes.append(batch.rows);
        if (m_figures.recentBatchSizes.size() > kBatchSizesKept)
            m_figures.recentBatchSizes.removeFirst();
        m_figures.lagMs = std::max<qint64>(0, batch.writtenAtMs - batch.oldestMs);
        m_figures.lastRowMs = batch.writtenAtMs;
    }
    // Of an engine that consumes the queue of telemetry.
    void setConsumed()
    {
        std::lock_guard lock(m_mutex);
        m_figures.consumed = true;
    }
    // Nothing: it does not wait any more.
    void setWaiting(const QString& because = {}, std::optional<qint64> untilMs = {})
    {
        std::lock_guard lock(m_mutex);
        m_figures.waitsBecause = because;
        m_figures.waitsUntilMs = untilMs;
    }
    // Without a rate.
    TelemetryFigures figures() const
    {
        std::lock_guard lock(m_mutex);
        return m_figures;
    }

private:
    mutable std::mutex m_mutex; // guards m_figures
    TelemetryFigures m_figures;
};

} // namespace redrive
