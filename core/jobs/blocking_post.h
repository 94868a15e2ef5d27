// A POST whose outcome a worker thread waits for.
#pragma once

#include "core/jobs/handler.h"
#include "core/net/http_exchange.h"

#include <functional>

namespace redrive {

class HttpSender;

// Blocks until the exchange has ended; a requested stop ends it with `cancelled`. Any thread but the
// sender's.
using BlockingPost = std::function<HttpOutcome(HttpRequest, const StopSignal&)>;

BlockingPost blockingPost(HttpSender& sender);

} // namespace redrive
