// The store as files: which copies of it there are, and putting another one into its place. Nothing is ever
// deleted: what was there stays beside it under another name, its log too. No connection of this process may
// be open on the files; any thread, blocks on the disk.
#pragma once

#include "core/base/result.h"
#include "core/db/target.h"

#include <QList>

namespace redrive {

struct StoreCopy
{
    QString path;
    qint64 bytes = 0;
    qint64 changedAtMs = 0; // unix milliseconds
};

// What migrateStore() left beside the database before it changed it; newest first.
QList<StoreCopy> backupsOf(const DatabaseTarget& target);

// Refuses a file that is no store of ours, is newer or damaged; then copies it, with what its log holds, to
// `path`, durably. Readers and writers of the file are not disturbed.
Status copySoundStore(const QString& file, const QString& path);

// Moves the database and its log to "<database>.aside-<time>" and returns that name.
Result<QString> moveAside(const DatabaseTarget& target, qint64 nowMs);

// The same, with `file`, which has no log, taking the database's name at once.
Result<QString> putInPlace(const DatabaseTarget& target, const QString& file, qint64 nowMs);

} // namespace redrive
