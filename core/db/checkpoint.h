// Writing the write-ahead log back into the database file, and noticing the commits of others. The writer's
// thread.
#pragma once

#include "core/db/connection.h"

namespace redrive {

// Bytes of the write-ahead log; 0 when there is none.
qint64 walBytes(const DatabaseTarget& target);
// Only one process at a time checkpoints, under a file lock beside the database: two at once can damage the
// file in versions before 3.51.3. Busy: another one does. `truncate` also empties the log when no reader
// needs it.
Status checkpoint(Connection& writer, bool truncate);
// A number that changes when another connection of the file has committed since it was last asked.
Result<qint64> foreignCommitMark(Connection& connection);

} // namespace redrive
