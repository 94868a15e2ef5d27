// What is deleted when it is old enough, in bounded pieces: none looks at more rows than it is allowed.
// Times are unix milliseconds; "until" means this old or older. Inside a turn's transaction.
#pragma once

#include "core/domain/archived_letter.h"
#include "core/store/cycle.h"

namespace redrive::retention_store {

// A walk through a table in the order its rows were made.
struct Walk
{
    qint64 afterKey = 0; // row key of the last row looked at
    int looked = 0;      // in the last piece
    int deleted = 0;
    bool atEnd = false; // the rest is younger
};

// Done and cancelled jobs, and dead ones without a letter, whose last change is that old; with their attempts
// and results, and their event when no delivery of it is left. Jobs that have a message or a delivery under
// way stay. Rows that Redrive never changed are the user's own and stay.
Result<Walk> deleteJobs(Cycle& cycle, Walk walk, qint64 untilMs, int look, int most);
// Delivered, cancelled and dead deliveries, those with a letter excepted; with their attempts, and their
// event when its job is gone and no other delivery is left.
Result<Walk> deleteDeliveries(Cycle& cycle, Walk walk, qint64 untilMs, int look, int most);

// The rest returns how many rows were deleted or emptied; fewer than `limit` means that all are.
// A job whose letter goes is kept as long again as a dead one without a letter.
Result<int> deleteOpenLetters(Cycle& cycle, qint64 untilMs, int limit);
Result<int> deleteDiscardedLetters(Cycle& cycle, qint64 untilMs, int limit);
// Those that are still in the state in which they were archived.
Result<int> deleteArchivedLetters(Cycle& cycle, const QList<LetterMark>& letters);
Result<int> deleteRequeuedLetters(Cycle& cycle, qint64 untilMs, int limit);
Result<int> dropResponseBodies(Cycle& cycle, qint64 untilMs, int limit);
// With their posts.
Result<int> deleteAlerts(Cycle& cycle, qint64 untilMs, int limit);
Result<int> deleteAudit(Cycle& cycle, qint64 untilMs, int limit);
Result<int> deleteSweeps(Cycle& cycle, qint64 untilMs, int limit);
// Operations that ended, with their items.
Result<int> deleteOperations(Cycle& cycle, qint64 untilMs, int limit);
Result<int> deleteInstances(Cycle& cycle, qint64 untilMs, int limit);

} // namespace redrive::retention_store
