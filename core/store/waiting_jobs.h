// How many jobs wait: for a sentence, from the small index over open jobs. The connection's thread.
#pragma once

#include "core/db/connection.h"

namespace redrive {

Result<qint64> countWaitingJobs(Connection& db);

} // namespace redrive
