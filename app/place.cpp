#include "app/place.h"

#include "app/kept_secrets.h"
#include "app/user_folders.h"
#include "core/db/checkpoint.h"
#include "core/db/migrator.h"
#include "core/db/quick_check.h"
#include "core/db/store_check.h"
#include "core/db/store_fault.h"
#include "core/store/engine_locks.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace redrive {

namespace {

constexpr qint64 kMostBytesToCheck = 64 << 20; // a tenth of a second

Result<DatabaseTarget> targetOf(const Invocation& invocation, const Settings& settings,
                                const QString& dataFolder)
{
    QString path = invocation.database.isEmpty() ? settings.database : invocation.database;
    if (path.contains(u"://"))
        return fail(
            ErrorKind::Refused,
            u"the database must be a file in this version; a server's address is not supported yet"_s);
    if (path.isEmpty())
        path = dataFolder + u"/redrive.db"_s;
    return DatabaseTarget{QFileInfo(path).absoluteFilePath()};
}

// An engine that was killed left a log, which the first writer merges. Into a damaged file, or one that it
// does not belong to, that would make things worse: looked at before, where that is quick.
Status checkLeftLog(const DatabaseTarget& target)
{
    if (walBytes(target) == 0 || QFileInfo(target.path).size() > kMostBytesToCheck ||
        engine_locks::anyLive(target.path))
        return {};
    REDRIVE_ASSIGN(reader, Connection::open(target, Access::Reader));
    if (const Status sound = quickCheck(*reader); !sound)
        return fail(describeFailure(target, sound.error()));
    return {};
}

QString linesOf(const QList<Diagnostic>& diagnostics)
{
    QStringList lines;
    for (const Diagnostic& diagnostic : diagnostics)
        lines.append(diagnostic.text());
    return lines.join(u'\n');
}

} // namespace

Status applyProfile(Invocation& invocation)
{
    if (invocation.profileName.isEmpty())
        return {};
    REDRIVE_ASSIGN(profile, loadProfile(dataFolderOf(invocation), invocation.profileName));
    if (!profile.engine && invocation.command == u"serve")
        return fail(
            ErrorKind::Refused,
            u"the profile '%1' runs no engine: `redrive view` opens a console on it"_s.arg(profile.name));
    const auto take = [](QString& own, const QString& of) {
        if (own.isEmpty())
            own = of;
    };
    take(invocation.configFile, profile.configFile);
    take(invocation.environment, profile.environment);
    take(invocation.database, profile.database);
    invocation.profile = std::move(profile);
    return {};
}

QString dataFolderOf(const Invocation& invocation)
{
    const QString folder = invocation.dataFolder.isEmpty()
                               ? QStandardPaths::writableLocation(QStandardPaths::AppDataLocation)
                               : invocation.dataFolder;
    return QDir(folder).absolutePath();
}

LoadRequest loadRequestOf(const Invocation& invocation)
{
    LoadRequest request;
    request.file = invocation.configFile;
    request.environmentName = invocation.environment;
    request.processEnvironment = currentEnvironment();
    request.kept = keptSecretsIn(dataFolderOf(invocation));
    return request;
}

Result<DatabaseTarget> databaseOf(const Invocation& invocation)
{
    return targetOf(invocation, loadSettings(loadRequestOf(invocation)).settings, dataFolderOf(invocation));
}

Result<Place> findPlace(const Invocation& invocation)
{
    LoadResult loaded = loadSettings(loadRequestOf(invocation));
    if (!loaded.ok)
        return fail(ErrorKind::InvalidInput, u"the configuration has errors"_s, linesOf(loaded.diagnostics));
    Place place;
    place.settings = std::move(loaded.settings);
    place.diagnostics = std::move(loaded.diagnostics);
    place.dataFolder = dataFolderOf(invocation);
    REDRIVE_ASSIGN(target, targetOf(invocation, place.settings, place.dataFolder));
    place.target = target;
    return place;
}

Result<std::unique_ptr<Connection>> openForWork(const Place& place, QStringList& notices)
{
    const QFileInfo file(place.target.path);
    const bool ours = file.absolutePath() == place.dataFolder;
    if (!QDir().mkpath(file.absolutePath()))
        return fail(ErrorKind::ReadOnly, u"the folder %1 cannot be made"_s.arg(file.absolutePath()));
    if (ours)
        QFile::setPermissions(place.dataFolder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    const auto state = checkStore(place.target, knownSchema());
    if (!state)
        return fail(withRecoverHint(place.target, state.error()));
    REDRIVE_TRY(checkLeftLog(place.target));
    if (state->origin == StoreOrigin::Nothing) {
        REDRIVE_ASSIGN(bare, Connection::open(place.target, Access::Writer));
        REDRIVE_ASSIGN(applied, applyUserFolders(*bare, place.settings));
        if (!applied.isEmpty())
            notices.append(u"new database: applied the migrations %1"_s.arg(applied.join(u", "_s)));
    }
    REDRIVE_ASSIGN(connection, openStore(place.target, Access::Writer));
    REDRIVE_ASSIGN(pending, pendingUserFolders(*connection, place.settings));
    for (const UserMigrations& folder : userFolders(place.settings))
        if (const auto files = userMigrationFiles(folder); files && files->isEmpty())
            if (const QString hint = userMigrationsHint(folder); !hint.isEmpty())
                notices.append(hint);
    if (!pending.isEmpty())
        notices.append(
            u"migrations are pending (%1): `redrive migrate` applies them"_s.arg(pending.join(u", "_s)));
    return connection;
}

Result<std::unique_ptr<Connection>> openExisting(const Place& place, Access access)
{
    if (!QFileInfo::exists(place.target.path))
        return fail(ErrorKind::NotFound, u"there is no database at %1"_s.arg(place.target.path));
    auto opened = openStore(place.target, access);
    return opened ? std::move(opened) : fail(withRecoverHint(place.target, opened.error()));
}

} // namespace redrive
