// An attempt's row, from what came back. Pure; any thread.
#pragma once

#include "core/domain/delivery.h"
#include "core/webhooks/delivery_plan.h"

namespace redrive {

DeliveryAttempt attemptRecord(int attempt, const HttpOutcome& outcome, const DeliveryPlan& plan);

} // namespace redrive
