// Retry timers for lists: jobs and deliveries that wait for a due time. The reading connection's thread.
#pragma once

#include "core/domain/list.h"
#include "core/store/job_read_store.h"

namespace redrive::timer_read_store {

// Keys as in TimerRow, rows in their order; those that wait no more are left out.
Result<QList<TimerRow>> rows(Connection& db, const std::vector<qint64>& keys, const QueueAttempts& attempts);

} // namespace redrive::timer_read_store
