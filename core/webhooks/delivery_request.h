// A delivery's request: the same body and id on every attempt, a timestamp and signature of its own. Pure;
// any thread.
#pragma once

#include "core/net/http_exchange.h"
#include "core/webhooks/endpoint_registry.h"

namespace redrive {

struct DeliveryRequest
{
    HttpRequest http;
    QString shownHeaders; // one a line, signature and custom values masked
};

DeliveryRequest buildDeliveryRequest(const Endpoint& endpoint, const QString& url, const QString& eventId,
                                     std::shared_ptr<const QByteArray> body, qint64 unixSeconds);

} // namespace redrive
