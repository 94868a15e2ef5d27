// What became of the things that redrives began: outcomes noted where they are recorded, and the counts over
// them. Writing inside a turn's transaction; reads on any connection.
#pragma once

#include "core/domain/redrive.h"
#include "core/store/cycle.h"

#include <QList>

namespace redrive::redrive_ledger_store {

// An attempt of a job, a message or a delivery ended. Counts for the last redrive that awaits something of
// it: the first failure, or any success. Cheap where no redrive does.
Status noteSuccess(Cycle& cycle, const QString& id);
Status noteFailure(Cycle& cycle, const QString& id, const QString& error);

// Settles outcomes that nobody noted, because what was begun ended in another way (cancelled, crashed once
// too often, deleted): looks at `limit` waiting items after one of them. The last item looked at; 0: it came
// to the end.
Result<int> settleUnnoticed(Cycle& cycle, qint64 redriveNo, int afterItemNo, int limit);

Result<int> waiting(Connection& db, qint64 redriveNo);
// Items that ended otherwise than well.
Result<int> unsuccessful(Connection& db, qint64 redriveNo);

struct RecentOutcomes
{
    int count = 0;
    int failed = 0;
};
// The last `limit` since a time (unix ms).
Result<RecentOutcomes> recent(Connection& db, qint64 redriveNo, qint64 sinceMs, int limit);

Result<std::optional<RedriveInfo>> info(Connection& db, qint64 redriveNo);
// Those that are not over and the newest `limit`, newest first.
Result<QList<RedriveInfo>> list(Connection& db, int limit);

} // namespace redrive::redrive_ledger_store
