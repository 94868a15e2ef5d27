// Pauses or resumes one queue, or says why not; judges a purge, whose slices are core/queue/purge.h. Inside a
// turn's transaction; the judgement on any connection.
#pragma once

#include "core/domain/action.h"
#include "core/store/cycle.h"

namespace redrive {

// Empty when it may; else why not, in words that follow the queue's name.
Result<QString> queueRefusal(Connection& db, ActionVerb verb, const QString& queue,
                             const QStringList& declaredQueues);
Result<QString> actOnQueue(Cycle& cycle, ActionVerb verb, const QString& queue, const QString& actor,
                           const QStringList& declaredQueues);

} // namespace redrive
