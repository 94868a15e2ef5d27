// Writing the write-ahead log back into the database file, and noticing the commits of others. The writer's
// thread.
#pragma once

#include "core/db/connection.h"

namespace redrive {

// Bytes of the write-ahead log; 0 when there is none.
qint64 walBytes(const DatabaseTarget& target);

enum class CheckpointMode {
    Passive, // as far as readers let it; the next commit begins the log anew where all of it was written back
    Restart, // waits for the readers, so that it does
    Truncate, // and gives the log's space back
};
// Only one process at a time checkpoints, under a file lock beside the database: two at once can damage the
// file in versions before 3.51.3. Busy: another one does.
Status checkpoint(Connection& writer, CheckpointMode mode);
// A number that changes when another connection of the file has committed since it was last asked.
Result<qint64> foreignCommitMark(Connection& connection);

} // namespace redrive
