// Deliveries that are held because their endpoint is disabled or paused, and what endpoints asked for. Held
// time costs no budget. Control thread, inside a turn's transaction.
#pragma once

#include "core/store/cycle.h"

#include <vector>

namespace redrive {

struct EndpointState
{
    QString id;
    bool disabled = false;    // it answered 410
    qint64 pausedUntilMs = 0; // unix ms, by Retry-After; 0: not
};

namespace delivery_hold_store {

// Up to `limit` waiting deliveries of the endpoint become held; replays that an operator asked for go on.
// Returns how many.
Result<int> hold(Cycle& cycle, const QString& endpointId, const QString& reason, int limit);
// Up to `limit` held ones wait again, for the due time they had. Those held by their payload stay.
Result<int> release(Cycle& cycle, const QString& endpointId, int limit);
// Every endpoint that has held deliveries.
Result<QStringList> endpointsHeld(Connection& db);

Result<std::vector<EndpointState>> states(Connection& db);
Status disable(Cycle& cycle, const QString& endpointId);
Status enable(Cycle& cycle, const QString& endpointId);
Status pauseUntil(Cycle& cycle, const QString& endpointId, qint64 untilMs);

} // namespace delivery_hold_store
} // namespace redrive
