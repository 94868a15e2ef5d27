// What each queue did since the engine's start, and how busy it is now. Any thread.
#pragma once

#include <QHash>
#include <QString>

#include <mutex>

namespace redrive {

struct QueueTotals
{
    quint64 done = 0;   // messages acknowledged
    quint64 failed = 0; // deliveries that failed
    quint64 dead = 0;
    quint64 expired = 0;
    int batches = 0;    // open now
    int batchLimit = 0; // how many may be; 0: nothing consumes it here
};

class QueueCounters final
{
public:
    void add(const QString& queue, quint64 QueueTotals::*total, quint64 count = 1)
    {
        std::lock_guard lock(m_mutex);
        m_queues[queue].*total += count;
    }
    void setBatches(const QString& queue, int batches, int limit)
    {
        std::lock_guard lock(m_mutex);
        QueueTotals& totals = m_queues[queue];
        totals.batches = batches;
        totals.batchLimit = limit;
    }
    QHash<QString, QueueTotals> all() const
    {
        std::lock_guard lock(m_mutex);
        return m_queues;
    }

private:
    mutable std::mutex m_mutex; // guards m_queues
    QHash<QString, QueueTotals> m_queues;
};

} // namespace redrive
