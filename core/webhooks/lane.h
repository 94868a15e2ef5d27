// One endpoint's lane: what it may send now, and what it waits for. Plain values; control thread.
#pragma once

#include "core/webhooks/breaker.h"
#include "core/webhooks/class_turns.h"
#include "core/webhooks/token_bucket.h"

#include <algorithm>

namespace redrive {

// One moment on both clocks, in ms.
struct Moment
{
    qint64 wallMs = 0;
    qint64 steadyMs = 0;
};

struct Lane
{
    int inFlight = 0;
    int limit = 4;
    bool known = false;  // its endpoint's limit and rate are those of `limit` and `rate`
    HasDue due{};        // the store may hold deliveries of that class that are due
    bool paused = false; // by its settings: nothing goes out
    bool pausedByOperator = false;
    bool disabled = false; // it answered 410, or by hand: only an operator's replays go out
    bool mustHold = false; // waiting deliveries are to become held
    bool waitsForNetwork = false;
    qint64 pausedUntilMs = 0; // wall clock; by Retry-After
    TokenBucket rate;
    Breaker breaker;
    ClassTurns classes;
    int credit = 0; // of the deficit round robin, in requests; below 0: it took more than its turn

    bool hasDue() const { return due[0] || due[1] || due[2]; }
    // Scheduled deliveries are held.
    bool takesNothing() const { return paused || pausedByOperator || disabled; }
    bool isPaused() const { return paused || pausedByOperator; }
    int freeSlots() const { return std::max(0, limit - inFlight); }
    // How many may be claimed now.
    int room(const Moment& now) const
    {
        if (!hasDue() || isPaused() || waitsForNetwork || pausedUntilMs > now.wallMs)
            return 0;
        const int places = known ? freeSlots() : std::min(1, freeSlots());
        return breaker.mayPass(rate.available(places, now.steadyMs), now.wallMs);
    }
    // Nothing would be missed but what its endpoint's past says.
    bool isIdle(qint64 nowMs) const
    {
        return inFlight == 0 && !hasDue() && !disabled && !pausedByOperator && !mustHold &&
               !breaker.isOpen() && pausedUntilMs <= nowMs;
    }
};

} // namespace redrive
