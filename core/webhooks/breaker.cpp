#include "core/webhooks/breaker.h"

#include <algorithm>
#include <bit>

namespace redrive {

Breaker Breaker::opened(qint64 openUntilMs, int openings)
{
    Breaker breaker;
    breaker.m_state = State::Open;
    breaker.m_openUntilMs = openUntilMs;
    breaker.m_openings = std::max(1, openings);
    return breaker;
}

int Breaker::mayPass(int wanted, qint64 nowMs) const
{
    if (m_state == State::Closed)
        return wanted;
    // A clock that was set back makes nobody wait longer than the longest time.
    const bool due = m_openUntilMs <= nowMs || m_openUntilMs - nowMs > kLongestWaitMs;
    return m_state == State::Open && due ? std::min(1, wanted) : 0;
}

bool Breaker::record(EndpointVerdict verdict, bool isProbe, qint64 nowMs)
{
    if (verdict == EndpointVerdict::None) {
        if (isProbe && m_state == State::HalfOpen)
            m_state = State::Open; // the next one is the probe
        return false;
    }
    if (verdict == EndpointVerdict::Good && isOpen()) {
        close();
        return true;
    }
    const bool failed = verdict != EndpointVerdict::Good;
    if (isOpen()) {
        // What left before it opened says nothing new.
        if (!isProbe)
            return false;
        push(true, verdict == EndpointVerdict::Unreachable);
        open(nowMs);
        return true;
    }
    push(failed, verdict == EndpointVerdict::Unreachable);
    if (!failed || !tooManyFailed())
        return false;
    open(nowMs);
    return true;
}

bool Breaker::forgiveUnreachable()
{
    const quint32 forgiven = m_unreachable;
    if (forgiven == 0)
        return false;
    quint32 kept = 0;
    int count = 0;
    for (int i = 0; i < m_known; ++i) {
        if (forgiven >> i & 1)
            continue;
        kept |= (m_failed >> i & 1) << count;
        ++count;
    }
    m_failed = kept;
    m_known = count;
    m_unreachable = 0;
    if (!isOpen() || tooManyFailed())
        return false;
    m_state = State::Closed;
    m_openings = 0;
    m_openUntilMs = 0;
    return true;
}

void Breaker::push(bool failed, bool unreachable)
{
    constexpr quint32 mask = (1u << kWindow) - 1;
    m_failed = (m_failed << 1 | quint32(failed)) & mask;
    m_unreachable = (m_unreachable << 1 | quint32(unreachable)) & mask;
    m_known = std::min(kWindow, m_known + 1);
}

bool Breaker::tooManyFailed() const
{
    const int failures = std::popcount(m_failed);
    return failures >= kFewest && 2 * failures >= m_known;
}

void Breaker::open(qint64 nowMs)
{
    const int doublings = std::min(m_openings, 10);
    m_openUntilMs = nowMs + std::min(kLongestWaitMs, kFirstWaitMs << doublings);
    ++m_openings;
    m_state = State::Open;
}

void Breaker::close()
{
    *this = Breaker();
}

} // namespace redrive
