// What an operator's request would do now. Changes nothing; the connection's thread.
#pragma once

#include "core/db/connection.h"
#include "core/domain/action.h"
#include "core/domain/missed_event.h"
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
    // A replay of more deliveries begins no more than so many at once, so that it can be paused and stopped
    // while it lasts; 0: all are due at once.
    int replaysInFlight = 0;
};

inline constexpr int kReplaysInFlight = 256; // as many as are sent at once

ActionLimits limitsOf(const Settings& settings);
// The pace that was asked for, or the one that a large replay has anyway.
RedrivePace paceOf(const ActionRequest& request, qsizetype items, const ActionLimits& limits);

// Refuses a request that names nothing, or ids and a filter at once, a queue that nobody knows, a due time
// out of bounds, a payload that the intake would refuse.
Status checkRequest(Connection& db, const ActionRequest& request, const ActionLimits& limits, qint64 nowMs);
// The items that a request means now.
Result<QStringList> freezeItems(Connection& db, const ActionRequest& request, const ActionLimits& limits,
                                qint64 nowMs);
// What an item of a delivery of missed events means: an event for the endpoint that was asked for, else
// both.
MissedEvent missedBy(const QString& endpointId, const QString& item);
// The due time that a postponement asks for.
qint64 dueTimeOf(const ActionRequest& request, qint64 nowMs);

Result<ActionPlan> planAction(Connection& db, const ActionRequest& request, const ActionLimits& limits,
                              qint64 nowMs);

} // namespace redrive
