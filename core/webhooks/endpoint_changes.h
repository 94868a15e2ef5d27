// Making and changing endpoints, with a row in the audit. Inside a turn's transaction.
#pragma once

#include "core/config/settings.h"
#include "core/domain/endpoint.h"
#include "core/store/cycle.h"

namespace redrive {

// InvalidInput: settings, names or times (with the field); Conflict: the id is taken, or somebody changed it
// since `baseVersion`; NotFound; Refused: the configuration alone says its settings. Open deliveries of a
// deleted endpoint become held; whoever asks cancels them in the same transaction where that is wanted.
Result<EndpointChanged> changeEndpoint(Cycle& cycle, const EndpointChange& change);

// Writes what the configuration names into the registry: a version where its settings are new, and those it
// names no more are deleted, which holds their deliveries.
Status registerConfigured(Cycle& cycle, const QList<EndpointSettings>& endpoints);

} // namespace redrive
