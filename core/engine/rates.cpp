#include "core/engine/rates.h"

namespace redrive {

double Rate::sample(qint64 steadyMs, quint64 total)
{
    std::lock_guard lock(m_mutex);
    if (m_samples.empty() || steadyMs - m_samples.back().steadyMs >= kSpacingMs)
        m_samples.push_back({steadyMs, total});
    while (m_samples.size() > 2 && m_samples[1].steadyMs <= steadyMs - kWindowMs)
        m_samples.pop_front();
    const Sample& first = m_samples.front();
    if (steadyMs <= first.steadyMs)
        return 0;
    return double(total - first.total) * 1000.0 / double(steadyMs - first.steadyMs);
}

} // namespace redrive
