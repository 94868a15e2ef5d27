// Rates over the last ten seconds from totals that only grow. Any thread.
#pragma once

#include <QtGlobal>

#include <deque>
#include <mutex>

namespace redrive {

class Rate final
{
public:
    // Returns the rate per second with this sample included.
    double sample(qint64 steadyMs, quint64 total);

private:
    static constexpr qint64 kWindowMs = 10'000;
    static constexpr qint64 kSpacingMs = 200;

    struct Sample
    {
        qint64 steadyMs = 0;
        quint64 total = 0;
    };
    std::mutex m_mutex; // guards m_samples
    std::deque<Sample> m_samples;
};

} // namespace redrive
