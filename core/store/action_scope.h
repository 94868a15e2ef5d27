// Which things an operator's request means, frozen as a list of ids. Any connection.
#pragma once

#include "core/db/connection.h"
#include "core/domain/action.h"

namespace redrive {

// Of verbs that act on a queue and name no items.
inline bool isQueueVerb(ActionVerb verb)
{
    return verb == ActionVerb::PauseQueue || verb == ActionVerb::ResumeQueue ||
           verb == ActionVerb::PurgeQueue;
}

// Ids once each, in the order given, or what matches, oldest first; for replay, ids of jobs stand for their
// failed and dead deliveries, and of the jobs that match a cancel only those that it can change count; to
// publish, events and deliveries stand for the jobs that made them. A queue is its own name. What matches
// nothing is an empty list.
Result<QStringList> freezeScope(Connection& db, const ActionRequest& request, qint64 nowMs);

// Whether a replay leaves alone what is delivered when its turn comes.
Result<bool> leavesDelivered(Connection& db, const ActionRequest& request);

// The scope in words, for lists of operations and the audit.
QString scopeWords(const ActionScope& scope);

} // namespace redrive
