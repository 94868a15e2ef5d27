// A webhook.test event for one endpoint, to see whether it answers: signed and judged like a delivery, and
// recorded nowhere. Any thread.
#pragma once

#include "core/base/clock.h"
#include "core/domain/delivery.h"
#include "core/net/http_sender.h"
#include "core/webhooks/delivery_request.h"

namespace redrive {

inline constexpr char kTestEventType[] = "webhook.test";

// An error where nothing can be sent: the endpoint's own problem.
Result<DeliveryRequest> testRequest(const Endpoint& endpoint, qint64 nowMs);

// What came of it, as an attempt that no delivery has.
DeliveryAttempt testOutcome(const Endpoint& endpoint, const QString& shownHeaders, const HttpOutcome& outcome,
                            qint64 startedAtMs);

// Sends it; answers on the sender's thread, or at once where nothing can be sent. `endpoint` may be null:
// there is none of this id.
void sendTest(const std::shared_ptr<const Endpoint>& endpoint, const QString& endpointId, const Clock& clock,
              HttpSender& sender, std::function<void(Result<DeliveryAttempt>)> answer);

} // namespace redrive
