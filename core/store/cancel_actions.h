// What cancelling changes: rows of jobs, messages and deliveries. Work that runs or is being sent is asked to
// stop; whoever holds it ends it. Inside a turn's transaction; the caller has judged the subject in the same
// one.
#pragma once

#include "core/store/action_subject.h"
#include "core/store/cycle.h"

#include <QSet>

namespace redrive::cancel_actions {

// Ids of jobs that are open, or whose event has open deliveries. Any connection.
Result<QSet<QString>> cancellableJobs(Connection& db);
// A job that waits, or that nobody runs any more, is cancelled at once with its message.
Status cancelJob(Cycle& cycle, const QString& id);
// The open deliveries of a job's event: those that wait are cancelled, those being sent asked to stop.
Status cancelDeliveriesOf(Cycle& cycle, const QString& jobId);
// One delivery in the same way. What was delivered and waits for a replay is delivered again.
Status cancelDelivery(Cycle& cycle, const QString& id);
// Ends an open delivery that nobody sends.
Status endDelivery(Cycle& cycle, qint64 rowKey, const QString& id);

} // namespace redrive::cancel_actions
