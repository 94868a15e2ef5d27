// What came of attempts, by endpoint and quarter of an hour. Control thread, inside a turn's transaction.
#pragma once

#include "core/domain/endpoint.h"
#include "core/store/cycle.h"

namespace redrive::endpoint_stats_store {

Status add(Cycle& cycle, const QString& endpointId, const EndpointFigures& figures);
// Quarters of an hour that began before; at most `limit`. How many.
Result<int> prune(Cycle& cycle, qint64 beforeMs, int limit);

// Since a time, of all endpoints that were sent to.
Result<QList<std::pair<QString, EndpointFigures>>> since(Connection& db, qint64 sinceMs);
// Of one, by quarters of an hour, oldest first.
Result<QList<EndpointSlot>> slotsOf(Connection& db, const QString& endpointId, qint64 sinceMs);

} // namespace redrive::endpoint_stats_store
