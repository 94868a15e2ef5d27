// A user's migration may create a table that the store made already under the name that users know (jobs,
// webhook_deliveries, system_telemetry). The thread of the connection.
#pragma once

#include "core/db/connection.h"

namespace redrive {

// If `statement` creates such a table and it exists in a store of ours: adds the columns it lacks, in the
// open transaction, and answers true: the statement is done. Constraints of the statement are not taken over.
// Otherwise false, and the statement is to run: nothing was there, or an unused system_telemetry of ours,
// which has made way for the user's own.
Result<bool> adoptCreatedTable(Connection& connection, const QString& statement);

} // namespace redrive
