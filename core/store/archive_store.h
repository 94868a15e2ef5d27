// Letters that are old enough to leave the store, with all that belongs to them, and what is known of the
// files they go to. Times are unix milliseconds.
#pragma once

#include "core/domain/archive.h"
#include "core/domain/archived_letter.h"
#include "core/store/cycle.h"

namespace redrive::archive_store {

// A walk through the letters of one state, oldest first.
struct Walk
{
    LetterState state = LetterState::Open; // or Discarded
    qint64 afterMs = -1;
    qint64 afterNo = -1;
};

// Those that got into their state by then, and died by then; moves the walk on. Any connection.
Result<QList<ArchivedLetter>> due(Connection& db, Walk& walk, qint64 untilMs, int limit);

// Those that are as they were archived. Any connection.
Result<QList<LetterMark>> stillThere(Connection& db, const QList<LetterMark>& letters);

// Newest first. Any connection.
Result<QList<ArchiveRecord>> records(Connection& db);

// Ages: how long open and discarded letters stay. Any connection.
Result<ArchiveBacklog> backlog(Connection& db, qint64 openAgeMs, qint64 discardedAgeMs, qint64 nowMs);

// Inside a turn's transaction.
// The file holds all that it held before and so many letters more, which have left the store.
Status noteWritten(Cycle& cycle, const QString& name, qint64 letters, qint64 bytes);
Status noteUploaded(Cycle& cycle, const QString& name, qint64 bytes, const QString& etag);
Status noteUploadFailed(Cycle& cycle, const QString& name, const QString& error);
Status forget(Cycle& cycle, const QString& name);

} // namespace redrive::archive_store
