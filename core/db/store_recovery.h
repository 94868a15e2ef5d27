// Saves what can still be read of a damaged database into a new file; the damaged one is only read. Any
// thread, blocks for as long as it takes to read the file and write another one.
//
// Rows are kept whole or not at all; those on damaged pages, or whose page cannot be found any more, are
// lost. Needs the list of tables (the file's first page beyond its header).
#pragma once

#include "core/base/result.h"
#include "core/db/target.h"

#include <QList>

#include <functional>

namespace redrive {

struct RecoveredTable
{
    QString name;
    qint64 rows = 0;
    bool complete = true; // nothing of it was unreadable
};

struct RecoveredStore
{
    QString path; // of the new file
    QList<RecoveredTable> tables;
};

// Asked now and then; false ends it with Cancelled, and no file is left.
using RecoveryProgress = std::function<bool(const QString& table, qint64 rows)>;

// The new file is "<database>.recovered-<time>", sound in itself, not yet migrated.
Result<RecoveredStore> recoverStore(const DatabaseTarget& damaged, qint64 nowMs,
                                    const RecoveryProgress& progress);

} // namespace redrive
