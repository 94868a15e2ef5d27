// What an operator's request would do now. Changes nothing; the connection's thread.
#pragma once

#include "core/db/connection.h"
#include "core/domain/action.h"
#include "core/intake/payload_rules.h"
#include "core/webhooks/missed_events.h"

#include <memory>

namespace redrive {

// What a request may be asked with, beside the store.
struct ActionLimits
{
    QStringList declaredQueues;
    PayloadRules payloads;
    std::shared_ptr<const MissedEvents> missed = {}; // nothing: no endpoint is known
};

ActionLimits limitsOf(const Settings& settings);

// Refuses a request that names nothing, or ids and a filter at once, a queue that nobody knows, a due time
// out of bounds, a payload that the intake would refuse.
Status checkRequest(Connection& db, const ActionRequest& request, const ActionLimits& limits, qint64 nowMs);
// The items that a request means now.
Result<QStringList> freezeItems(Connection& db, const ActionRequest& request, const ActionLimits& limits,
                                qint64 nowMs);
// The due time that a postponement asks for.
qint64 dueTimeOf(const ActionRequest& request, qint64 nowMs);

Result<ActionPlan> planAction(Connection& db, const ActionRequest& request, const ActionLimits& limits,
                              qint64 nowMs);

} // namespace redrive
