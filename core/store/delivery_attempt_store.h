// Attempts of deliveries: a row is written before the request connects and completed by its outcome. Inside a
// turn's transaction.
#pragma once

#include "core/domain/delivery.h"
#include "core/store/cycle.h"

namespace redrive::delivery_attempt_store {

// Takes attempt, kind, replayOf, url and requestHeaders of `attempt`.
Status begin(Cycle& cycle, const QString& deliveryId, const DeliveryAttempt& attempt);

// Takes the rest. An attempt that has an outcome already stays as it is.
Status finish(Cycle& cycle, const QString& deliveryId, const DeliveryAttempt& attempt);

// Up to `limit` deliveries that were being sent by this engine instance, which is gone, are due again:
// whether the request arrived is unknown, and no budget is spent. Returns how many.
Result<int> interrupt(Cycle& cycle, qint64 endedInstanceNo, int limit);

} // namespace redrive::delivery_attempt_store
