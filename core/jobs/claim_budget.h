// How many claimed jobs may wait in memory for a worker: a claim should begin within a few milliseconds, so
// only jobs that run shorter than that are claimed ahead. Pure; one thread.
#pragma once

#include <QtGlobal>

#include <algorithm>

namespace redrive {

class ClaimBudget final
{
public:
    explicit ClaimBudget(int workers) : m_workers(workers) {}

    void ran(qint64 microseconds) { m_averageUs += (double(microseconds) - m_averageUs) / 16.0; }
    // Claims that may be open at once, running ones included.
    int limit() const
    {
        const double ahead = m_workers * kAheadUs / std::max(m_averageUs, 1.0);
        return m_workers + (m_averageUs < kAheadUs ? int(std::min(ahead, double(kMostAhead))) : 0);
    }

private:
    static constexpr double kAheadUs = 5'000;
    static constexpr int kMostAhead = 256;

    int m_workers;
    double m_averageUs = kAheadUs;
};

} // namespace redrive
