// Keeps open breakers in the store, so that an engine that starts leaves a dead endpoint alone. Control
// thread, inside a turn's transaction.
#pragma once

#include "core/store/cycle.h"
#include "core/webhooks/lane_book.h"

namespace redrive::breaker_keeper {

// At the start: what was open is open, until when it was.
Status load(Cycle& cycle, LaneBook& lanes);

// What came of an attempt.
Status record(Cycle& cycle, Lane& lane, const QString& endpointId, EndpointVerdict verdict, bool isProbe);

// As the lane says.
Status save(Cycle& cycle, const Lane& lane, const QString& endpointId);

} // namespace redrive::breaker_keeper
