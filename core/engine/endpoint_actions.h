// What becomes of the deliveries of an endpoint that is deleted. Inside a turn's transaction.
#pragma once

#include "core/domain/endpoint.h"
#include "core/engine/command_gate.h"

namespace redrive {

// Writes an operation that cancels everything open of the endpoint; whoever applies the gate next executes
// it.
Status cancelOpenDeliveries(Cycle& cycle, const CommandGate& gate, const EndpointChange& change);

} // namespace redrive
