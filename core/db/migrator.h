// The store's own migrations: numbered files under migrations/, embedded in the program. The thread of the
// connection.
#pragma once

#include "core/base/clock.h"
#include "core/db/connection.h"

#include <QList>

namespace redrive {

inline constexpr qint64 kApplicationId = 0x52647276; // "Rdrv", in the database's header

struct Migration
{
    int number = 0;
    QString name; // of the file
    QString sql;
};

// All of them, by number.
QList<Migration> ownMigrations();
int knownSchema(); // number of the last one

// Applies what is missing in one transaction, so that the store is at the old or the new schema. A store that
// holds data is copied first, to "<database>.backup-<schema>-<time>". Columns that exist already are left as
// they are. Writer only.
Status migrateStore(Connection& connection, qint64 nowMs);

// Checks the file (store_check.h) and opens it without migrating. A reader wants it to exist.
Result<std::unique_ptr<Connection>> openChecked(const DatabaseTarget& target, Access access);
// The way to open the store: checked, and migrated by a writer; a reader refuses a store that is not.
Result<std::unique_ptr<Connection>> openStore(const DatabaseTarget& target, Access access,
                                              qint64 nowMs = SystemClock().wallMs());

} // namespace redrive
