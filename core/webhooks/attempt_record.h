// An attempt's row, from what came back. Pure; any thread.
#pragma once

#include "core/domain/delivery.h"
#include "core/webhooks/outcome_plan.h"

namespace redrive {

DeliveryAttempt attemptRecord(int attempt, const HttpOutcome& outcome, const OutcomePlan& plan);

} // namespace redrive
