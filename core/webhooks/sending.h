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

    int attempt() const { return delivery.attempts + 1; }
};

} // namespace redrive
