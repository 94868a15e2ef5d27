// Rows of system_telemetry: what came in over /ingest. Changes inside a turn's transaction. What the table
// takes is its own business: see core/db/telemetry_table.
#pragma once

#include "core/domain/telemetry.h"
#include "core/store/cycle.h"

namespace redrive::telemetry_store {

// False: a row with this id is there already, whoever wrote it, which is as good. Constraint and InvalidInput
// are the row's own fault, with the database's words.
Result<bool> insert(Cycle& cycle, const NewTelemetry& row);
// For many: insertUncounted() each, then noteAdded() once in the same transaction with what was new.
Result<bool> insertUncounted(Cycle& cycle, const NewTelemetry& row);
Status noteAdded(Cycle& cycle, const TelemetrySize& added);

Result<TelemetrySize> size(Connection& db);
Result<TelemetryPruning> pruning(Connection& db);

enum class PruneReason { Age, Size };

// Deletes the oldest rows that are this old or older, and notes it; rows that were there before the store was
// ours stay. Returns how many went: fewer than `limit` means that no more are that old. `passGoesOn`: they
// are added to the last pass of that reason instead of beginning one.
Result<int> deleteOldest(Cycle& cycle, PruneReason reason, qint64 untilMs, int limit,
                         bool passGoesOn = false);

} // namespace redrive::telemetry_store
