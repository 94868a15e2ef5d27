// What run now changes: something that waits for its time falls due at once. Inside a turn's transaction; the
// caller has judged the subject in the same one.
#pragma once

#include "core/store/action_subject.h"
#include "core/store/cycle.h"

namespace redrive::timer_actions {

// The job's message becomes visible and does not wait for a batch; a job that lost its message gets one.
Status runJobNow(Cycle& cycle, const ActionSubject& subject);
Status runMessageNow(Cycle& cycle, const QString& id, const QString& queue);
Status runDeliveryNow(Cycle& cycle, const QString& id);

} // namespace redrive::timer_actions
