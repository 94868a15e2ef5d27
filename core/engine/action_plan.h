// What an operator's request would do now. Changes nothing; the connection's thread.
#pragma once

#include "core/db/connection.h"
#include "core/domain/action.h"

namespace redrive {

// Refuses a request that names nothing, or ids and a filter at once.
Status checkRequest(const ActionRequest& request);

Result<ActionPlan> planAction(Connection& db, const ActionRequest& request, const QStringList& declaredQueues,
                              qint64 nowMs);

} // namespace redrive
