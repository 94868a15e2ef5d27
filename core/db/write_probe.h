// Whether the database takes a change: writes what is there already, in a transaction of its own. The
// writer's thread, outside a transaction.
#pragma once

#include "core/db/connection.h"

namespace redrive {

Status probeWrite(Connection& connection);
// Whether the file system says that nothing in the file's folder can be written. Any thread.
bool isOnReadOnlyFileSystem(const DatabaseTarget& target);

} // namespace redrive
