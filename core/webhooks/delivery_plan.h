// What becomes of a delivery after an attempt. Pure; any thread.
#pragma once

#include "core/config/settings.h"
#include "core/net/http_exchange.h"
#include "core/store/delivery_store.h"

namespace redrive {

struct DeliveryPlan
{
    DeliverySettlement settlement;
    QString attemptOutcome;             // delivered, failed, cancelled
    QString attemptError;               // empty when delivered
    std::optional<qint64> nextAtMs;     // when the next attempt may be, where that is after the due time
    QString nextReason;                 // why the next attempt is when it is, or why there is none
    std::optional<qint64> pauseUntilMs; // the whole endpoint, by Retry-After
    bool disableEndpoint = false;       // it answered 410
    bool badRetryAfter = false;         // it sent one that says nothing
};

bool isDelivered(const HttpOutcome& outcome);

DeliveryPlan planDelivered();

// `schedule`: the endpoint's own, in ms; empty: the backoff. `random` is 0–1.
DeliveryPlan planFailed(const HttpOutcome& outcome, const DeliveryTerms& terms, const QList<qint64>& schedule,
                        const BackoffSettings& backoff, qint64 nowMs, double random);

// The same for an attempt that failed because the engine is offline: the delivery is due and waits.
DeliveryPlan planOffline(const HttpOutcome& outcome, const DeliveryTerms& terms, qint64 nowMs);

// The delivery keeps its due time, and waits longer where its endpoint's breaker is open for longer.
void waitForTheBreaker(DeliveryPlan& plan, qint64 openUntilMs);

} // namespace redrive
