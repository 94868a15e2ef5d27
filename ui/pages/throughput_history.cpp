#include "ui/pages/throughput_history.h"

namespace redrive {

namespace {

double perSecond(quint64 now, quint64 before)
{
    // An engine that began again counts from 0.
    return double(now >= before ? now - before : now) * 1000.0 / double(ThroughputHistory::kStepMs);
}

} // namespace

void ThroughputHistory::take(const EngineRates& totals, qint64 nowMs, qint64 backlog)
{
    const qint64 start = nowMs - nowMs % kStepMs;
    if (m_steps.empty())
        m_steps.push_back({start, 0, 0, 0, double(backlog)});
    const bool jumped = start < m_steps.back().startMs || start - m_steps.back().startMs > kStepMs * kSteps;
    if (jumped)
        m_steps = {{start, 0, 0, 0, double(backlog)}};
    while (m_steps.back().startMs < start)
        m_steps.push_back({m_steps.back().startMs + kStepMs, 0, 0, 0, m_steps.back().backlog});
    while (m_steps.size() > size_t(kSteps))
        m_steps.pop_front();
    m_steps.back().backlog = double(backlog);
    if (m_started) {
        auto& step = m_steps.back();
        step.done += perSecond(totals.done, m_last.done);
        step.failed += perSecond(totals.failed, m_last.failed);
        step.dead += perSecond(totals.dead, m_last.dead);
    }
    m_last = totals;
    m_started = true;
}

} // namespace redrive
