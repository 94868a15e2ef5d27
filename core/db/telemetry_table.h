// Keeps system_telemetry to its rules, whoever made the table: one of ours carries them itself, in one of a
// user's a trigger refuses what ours would refuse, in the same words. Writer only, the thread of the
// connection.
#pragma once

#include "core/db/connection.h"

namespace redrive {

// After migrations, ours and the user's, and at every start: makes what is missing and drops an index of ours
// that an equal one of the user's makes needless; the user's own columns, rows, checks, indexes and triggers
// stay. A table that somebody dropped is made anew, empty. Writes only where something is missing; nothing
// before the store's own migrations. InvalidInput: the table cannot take events. In an open transaction it
// takes part in that.
Status ensureTelemetryTable(Connection& connection);
// Whether somebody dropped it.
Result<bool> telemetryTableIsMissing(Connection& connection);
// Whether a row that the database refuses may leave something behind all the same, or end the transaction: a
// trigger of the user's may do that, a check may not.
Result<bool> refusedRowsLeaveTraces(Connection& connection);
// The table is as ours made it and holds no row, so that a user's own can take its place.
Result<bool> isUnusedTelemetryTable(Connection& connection);

} // namespace redrive
