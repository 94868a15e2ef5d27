#include "app/place.h"

#include "app/user_folders.h"
#include "core/db/migrator.h"
#include "core/db/store_check.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace redrive {

namespace {

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

QString linesOf(const QList<Diagnostic>& diagnostics)
{
    QStringList lines;
    for (const Diagnostic& diagnostic : diagnostics)
        lines.append(diagnostic.text());
    return lines.join(u'\n');
}

} // namespace

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
    return request;
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
    REDRIVE_ASSIGN(state, checkStore(place.target, knownSchema()));
    if (state.origin == StoreOrigin::Nothing) {
        REDRIVE_ASSIGN(bare, Connection::open(place.target, Access::Writer));
        REDRIVE_ASSIGN(applied, applyUserFolders(*bare, place.settings));
        if (!applied.isEmpty())
            notices.append(u"new database: applied the migrations %1"_s.arg(applied.join(u", "_s)));
    }
    REDRIVE_ASSIGN(connection, openStore(place.target, Access::Writer));
    REDRIVE_ASSIGN(pending, pendingUserFolders(*connection, place.settings));
    if (!pending.isEmpty())
        notices.append(
            u"migrations are pending (%1): `redrive migrate` applies them"_s.arg(pending.join(u", "_s)));
    return connection;
}

Result<std::unique_ptr<Connection>> openExisting(const Place& place, Access access)
{
    if (!QFileInfo::exists(place.target.path))
        return fail(ErrorKind::NotFound, u"there is no database at %1"_s.arg(place.target.path));
    return openStore(place.target, access);
}

} // namespace redrive
