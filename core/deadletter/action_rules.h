// Whether an operator's action may be done to one thing, given what stands in the store about it. Pure.
#pragma once

#include "core/domain/action.h"
#include "core/store/action_subject.h"

namespace redrive {

// Empty when it may; else why not, in words that follow the thing's id ("is processing"). Whether a delivery
// may be sent again is judged further by the webhooks (replay.h).
QString refusalOf(ActionVerb verb, const ActionSubject& subject, const QString& otherQueue, qint64 nowMs);

// Why a replay that leaves delivered ones alone does nothing to this one; empty: it goes on.
QString leftAlone(const ActionSubject& subject);

// The queue that a requeued letter or job goes to; empty: none is known.
QString requeueTarget(const ActionSubject& subject, const QString& otherQueue);

} // namespace redrive
