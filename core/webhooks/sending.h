// A delivery whose attempt is written. Plain values.
#pragma once

#include "core/store/delivery_store.h"
#include "core/webhooks/endpoint_registry.h"

namespace redrive {

struct Sending
{
    DueDelivery delivery;
    QString endpointId;
    std::shared_ptr<const Endpoint> endpoint;
    QString url;               // sent to
    bool probe = false;        // what its endpoint's open breaker waits for
    bool networkProbe = false; // sent while the engine is offline, to see whether it still is

    int attempt() const { return delivery.attempts + 1; }
};

} // namespace redrive
