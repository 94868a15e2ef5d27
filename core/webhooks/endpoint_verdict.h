// What an attempt says about its endpoint, and about the network. Pure; any thread.
#pragma once

#include "core/net/http_exchange.h"
#include "core/webhooks/breaker.h"

namespace redrive {

// 400, 413, 415 and 422 are about the request; what was refused here, or cancelled, says nothing either.
EndpointVerdict endpointVerdict(const HttpOutcome& outcome);

} // namespace redrive
