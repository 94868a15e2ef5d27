// A user's own migrations, applied as D1 applies them. The thread of the connection (a writer).
#pragma once

#include "core/db/connection.h"

#include <QStringList>

#include <functional>

namespace redrive {

struct UserMigrations
{
    QString folder;                                  // absolute
    QString table = QStringLiteral("d1_migrations"); // the ledger
    QString pattern; // as configured; empty: the .sql files in the folder itself
};

// Paths relative to the folder, with "/", in the order in which they are applied.
Result<QStringList> userMigrationFiles(const UserMigrations& migrations);
// Those that the ledger does not name.
Result<QStringList> pendingUserMigrations(Connection& connection, const UserMigrations& migrations);
// What an operator should know who has fewer files here than expected: .sql files that the pattern leaves
// out.
QString userMigrationsHint(const UserMigrations& migrations);

// Applies what is pending, each file with its ledger row in one transaction, and returns the names. Stops at
// the first that fails; the error names file, statement and the database's words. `onApplied` hears of each
// name once it is durable.
Result<QStringList> applyUserMigrations(Connection& connection, const UserMigrations& migrations,
                                        const std::function<void(const QString&)>& onApplied = {});

// Whether a file failed because the schema holds already what it makes: it was made by hand, perhaps.
bool foundItMadeAlready(const Error& error);
// Records a file as applied without running it, for a schema that was made by hand.
Status markUserMigrationApplied(Connection& connection, const UserMigrations& migrations,
                                const QString& name);

} // namespace redrive
