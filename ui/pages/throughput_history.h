// What the engine finished in the last minutes, in steps of some seconds, made from its running totals.
// Window thread.
#pragma once

#include "core/domain/overview.h"

#include <deque>

namespace redrive {

struct ThroughputStep
{
    qint64 startMs = 0; // wall clock, a multiple of the step
    double done = 0;    // per second
    double failed = 0;
    double dead = 0;
    double backlog = 0; // messages at its end
};

class ThroughputHistory final
{
public:
    static constexpr qint64 kStepMs = 5000;
    static constexpr int kSteps = 120; // ten minutes

    // Totals as they are now; those before the first call are not known and not counted.
    void take(const EngineRates& totals, qint64 nowMs, qint64 backlog = 0);
    const std::deque<ThroughputStep>& steps() const { return m_steps; } // oldest first, without gaps

private:
    std::deque<ThroughputStep> m_steps;
    EngineRates m_last;
    bool m_started = false;
};

} // namespace redrive
