// The engines of a database, for the console. Reader thread.
#pragma once

#include "core/db/connection.h"
#include "core/domain/instance.h"

#include <QList>

namespace redrive::instance_read_store {

// Those that live, and those that ended within the last day; newest first, at most 200. `bootMs` is
// CLOCK_BOOTTIME of this boot.
Result<QList<InstanceInfo>> list(Connection& db, qint64 nowMs, qint64 bootMs);

} // namespace redrive::instance_read_store
