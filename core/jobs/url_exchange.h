// The request that a URL of the configuration gets, and what its outcome means. Pure; any thread.
#pragma once

#include "core/jobs/handler.h"
#include "core/net/http_exchange.h"

namespace redrive {

// A JSON body; the whole exchange within the limit (0: none).
HttpRequest urlRequest(const QString& url, QByteArray body, qint64 timeLimitMs);

// 2xx is success with the body as content; 410 and a refused target are permanent; an end asked for is
// Cancelled; all else is transient, with Retry-After of 429 and 503.
HandlerOutcome urlOutcome(const HttpOutcome& outcome, qint64 timeLimitMs, qint64 nowMs);

} // namespace redrive
