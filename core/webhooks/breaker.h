// An endpoint's circuit breaker: opens when half of the last 20 attempts failed, five at least; then one
// probe after 30 s, and after twice as long each time it fails, 30 min at most. A success closes it. Wall
// clock in ms, so that it can be kept. Pure; any thread.
#pragma once

#include <QtGlobal>

#include <optional>

namespace redrive {

// What an attempt says about its endpoint.
enum class EndpointVerdict {
    Good,
    Bad,
    Unreachable, // bad, and perhaps for want of a network: no route, no name
    None,        // it says nothing: the request itself was at fault, or nothing was sent
};

class Breaker final
{
public:
    static constexpr qint64 kFirstWaitMs = 30'000;
    static constexpr qint64 kLongestWaitMs = 1'800'000;

    enum class State { Closed, Open, HalfOpen };

    Breaker() = default;
    // As it was kept.
    static Breaker opened(qint64 openUntilMs, int openings);

    State state() const { return m_state; }
    bool isOpen() const { return m_state != State::Closed; }
    // When the probe may go; where it is open.
    qint64 openUntilMs() const { return m_openUntilMs; }
    // How often it opened since it was last closed.
    int openings() const { return m_openings; }
    // Nothing is known that would be missed.
    bool isBlank() const { return m_state == State::Closed && m_known == 0; }

    // How many may go now, at most `wanted`: all, one as a probe, or none.
    int mayPass(int wanted, qint64 nowMs) const;
    // One goes while it is open: the probe.
    void beginProbe() { m_state = State::HalfOpen; }

    // True when it opened, opened again or closed.
    bool record(EndpointVerdict verdict, bool isProbe, qint64 nowMs);
    bool hasUnreachable() const { return m_unreachable != 0; }
    // The network was gone: what was unreachable does not count. True when that closed it.
    bool forgiveUnreachable();

private:
    static constexpr int kWindow = 20;
    static constexpr int kFewest = 5;

    void push(bool failed, bool unreachable);
    bool tooManyFailed() const;
    void open(qint64 nowMs);
    void close();

    // The last attempts, newest in the lowest bit.
    quint32 m_failed = 0;
    quint32 m_unreachable = 0; // of the failed ones
    int m_known = 0;
    State m_state = State::Closed;
    int m_openings = 0;
    qint64 m_openUntilMs = 0;
};

} // namespace redrive
