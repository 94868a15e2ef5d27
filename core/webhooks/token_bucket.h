// An endpoint's rate: over any time t at most rate · t requests, and one beginning burst of what a tenth of a
// second holds, at least one. On the steady clock, in ms. Pure; any thread.
#pragma once

#include <QtGlobal>

#include <algorithm>
#include <cmath>
#include <optional>

namespace redrive {

class TokenBucket final
{
public:
    // Per second, above 0; nothing: no limit. A change keeps what was used.
    void setRate(std::optional<double> perSecond, qint64 nowMs)
    {
        if (perSecond == m_perSecond)
            return;
        m_tokens = m_perSecond && perSecond ? std::min(level(nowMs), burst(*perSecond))
                                            : burst(perSecond.value_or(0));
        m_perSecond = perSecond;
        m_atMs = nowMs;
    }
    bool isLimited() const { return m_perSecond.has_value(); }

    // How many may go now, at most `wanted`.
    int available(int wanted, qint64 nowMs) const
    {
        return m_perSecond ? int(std::min<double>(wanted, std::floor(level(nowMs) + kRounding))) : wanted;
    }
    void take(int count, qint64 nowMs)
    {
        if (!m_perSecond)
            return;
        m_tokens = level(nowMs) - count;
        m_atMs = nowMs;
    }
    // The first ms in which one may go; `nowMs` where it may at once.
    qint64 readyAtMs(qint64 nowMs) const
    {
        if (available(1, nowMs) > 0)
            return nowMs;
        const double missing = 1 - kRounding - level(nowMs);
        return nowMs + std::max<qint64>(1, qint64(std::ceil(missing * 1'000 / *m_perSecond)));
    }
    bool isFull(qint64 nowMs) const
    {
        return !m_perSecond || level(nowMs) + kRounding >= burst(*m_perSecond);
    }

private:
    static constexpr double kRounding = 1e-6;
    static double burst(double perSecond) { return std::max(1.0, perSecond / 10); }
    double level(qint64 nowMs) const
    {
        const double gained = double(std::max<qint64>(0, nowMs - m_atMs)) * *m_perSecond / 1'000;
        // What a wait rounded up to whole ms has gained is not lost.
        return std::min(m_tokens + gained, burst(*m_perSecond) + *m_perSecond / 1'000);
    }

    std::optional<double> m_perSecond;
    double m_tokens = 0;
    qint64 m_atMs = 0;
};

} // namespace redrive
