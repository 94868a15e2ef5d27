// Circuit breakers of endpoints that are open. In a turn's transaction, or on a reader's connection.
#pragma once

#include "core/domain/open_breaker.h"
#include "core/store/cycle.h"

namespace redrive::breaker_store {

// Those that open last first.
Result<QList<OpenBreaker>> all(Connection& db, int limit);
Result<qint64> count(Connection& db);

Status keep(Cycle& cycle, const OpenBreaker& breaker);
Status remove(Cycle& cycle, const QString& endpointId);
// Those that wait for a probe since `beforeMs`, with nothing to probe with.
Status removeForgotten(Cycle& cycle, qint64 beforeMs);

} // namespace redrive::breaker_store
