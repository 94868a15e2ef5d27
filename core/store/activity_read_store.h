// Actions of operators and alerts, for lists and details. The reading connection's thread.
#pragma once

#include "core/db/connection.h"
#include "core/domain/activity.h"

#include <vector>

namespace redrive::activity_read_store {

// In the order of the keys; keys whose row is gone are left out.
Result<QList<ActivityRow>> rows(Connection& db, const std::vector<qint64>& keys);
// NotFound when there is no such row.
Result<ActivityDetail> detail(Connection& db, qint64 key);

} // namespace redrive::activity_read_store
