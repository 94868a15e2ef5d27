#include "core/engine/queue_figures.h"

namespace redrive {

void QueueFigures::addTo(StoreCounts& counts, const QueueCounters& counters, qint64 steadyMs)
{
    const QHash<QString, QueueTotals> totals = counters.all();
    std::lock_guard lock(m_mutex);
    for (QueueStats& queue : counts.queues) {
        const QueueTotals of = totals.value(queue.name);
        Rates& rates = m_rates[queue.name];
        queue.done = of.done;
        queue.failed = of.failed;
        queue.expired = of.expired;
        queue.donePerSecond = rates.done.sample(steadyMs, of.done);
        queue.failedPerSecond = rates.failed.sample(steadyMs, of.failed);
        queue.batches = of.batches;
        queue.batchLimit = of.batchLimit;
    }
}

} // namespace redrive
