#include "app/user_folders.h"

#include <QDir>
#include <QSet>

namespace redrive {

QList<UserMigrations> userFolders(const Settings& settings)
{
    QList<UserMigrations> folders;
    QSet<std::pair<QString, QString>> seen;
    for (const DatabaseSettings& database : settings.databases) {
        const std::pair<QString, QString> one(database.migrationsDir, database.migrationsTable);
        if (database.migrationsDir.isEmpty() || seen.contains(one))
            continue;
        seen.insert(one);
        folders.append({database.migrationsDir, database.migrationsTable, database.migrationsPattern});
    }
    return folders;
}

namespace {

// A folder that is not there has nothing to apply; `redrive migrate` says so before it begins.
QList<UserMigrations> foldersThere(const Settings& settings)
{
    QList<UserMigrations> folders = userFolders(settings);
    folders.removeIf([](const UserMigrations& folder) { return !QDir(folder.folder).exists(); });
    return folders;
}

} // namespace

Result<QStringList> pendingUserFolders(Connection& connection, const Settings& settings)
{
    QStringList names;
    for (const UserMigrations& folder : foldersThere(settings)) {
        REDRIVE_ASSIGN(pending, pendingUserMigrations(connection, folder));
        names += pending;
    }
    return names;
}

Result<QStringList> applyUserFolders(Connection& connection, const Settings& settings,
                                     const std::function<void(const QString&)>& onApplied)
{
    QStringList names;
    for (const UserMigrations& folder : foldersThere(settings)) {
        REDRIVE_ASSIGN(applied, applyUserMigrations(connection, folder, onApplied));
        names += applied;
    }
    return names;
}

} // namespace redrive
