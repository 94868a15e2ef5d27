// What run now and postpone change: something that waits for its time falls due at once, or at another time.
// Inside a turn's transaction; the caller has judged the subject in the same one.
#pragma once

#include "core/store/action_subject.h"
#include "core/store/cycle.h"

namespace redrive::timer_actions {

// The job's message becomes visible and does not wait for a batch; a job that lost its message gets one.
Status runJobNow(Cycle& cycle, const ActionSubject& subject);
Status runMessageNow(Cycle& cycle, const QString& id, const QString& queue);
Status runDeliveryNow(Cycle& cycle, const QString& id);

// Why it waits stays as it is.
Status postponeJob(Cycle& cycle, const ActionSubject& subject, qint64 dueAtMs);
Status postponeMessage(Cycle& cycle, const QString& id, const QString& queue, qint64 dueAtMs);
Status postponeDelivery(Cycle& cycle, const QString& id, qint64 dueAtMs);

} // namespace redrive::timer_actions
