// Deliveries that are held because their endpoint is disabled or paused. Held time costs no budget. Control
// thread, inside a turn's transaction.
#pragma once

#include "core/store/cycle.h"

namespace redrive {

namespace delivery_hold_store {

// Up to `limit` waiting deliveries of the endpoint become held; replays that an operator asked for go on.
// Returns how many.
Result<int> hold(Cycle& cycle, const QString& endpointId, const QString& reason, int limit);
// Up to `limit` held ones wait again, for the due time they had. Those held by their payload stay.
Result<int> release(Cycle& cycle, const QString& endpointId, int limit);
// Deliveries of the endpoint that are not at an end: due, waiting, under way or held.
Result<QStringList> openOf(Connection& db, const QString& endpointId);
// Every endpoint that has held deliveries.
Result<QStringList> endpointsHeld(Connection& db);

// The attempt failed for want of a network: the delivery has its budget back and is due, if nothing has
// become of it since.
Status giveBack(Cycle& cycle, qint64 rowKey, int attempt);

} // namespace delivery_hold_store
} // namespace redrive
