// Where this program works: the configuration in effect, the data folder and the database. Reads files; the
// main thread.
#pragma once

#include "app/command_line/invocation.h"
#include "core/config/load_settings.h"
#include "core/db/connection.h"

namespace redrive {

struct Place
{
    Settings settings;
    QString dataFolder;
    DatabaseTarget target;
    QList<Diagnostic> diagnostics; // warnings and notices
};

// Reads the profile that is asked for and takes from it what the command line does not say itself.
Status applyProfile(Invocation& invocation);

// The user's own data folder, or the one of --data.
QString dataFolderOf(const Invocation& invocation);
LoadRequest loadRequestOf(const Invocation& invocation);

// InvalidInput with every diagnostic as a line of `detail` where the configuration has errors.
Result<Place> findPlace(const Invocation& invocation);

// The database that the configuration names, even where it has errors elsewhere.
Result<DatabaseTarget> databaseOf(const Invocation& invocation);

// The database as a writer, made and migrated when needed. Where there is nothing yet, the migrations of the
// user's folder go first, so that the tables are the user's own; `notices` says so, names what is pending
// in a database that exists, and a folder of which migrations_pattern takes no file.
Result<std::unique_ptr<Connection>> openForWork(const Place& place, QStringList& notices);
// A database that exists, as a writer or a reader.
Result<std::unique_ptr<Connection>> openExisting(const Place& place, Access access);

} // namespace redrive
