#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/place.h"
#include "app/user_folders.h"
#include "core/db/migrator.h"
#include "core/db/store_check.h"

#include <QDir>
#include <QFileInfo>

namespace redrive {

namespace {

Result<int> applyAll(const Place& place, bool json)
{
    int applied = 0;
    const auto report = [&](const QString& name) {
        ++applied;
        if (json)
            JsonLine().add("applied", name).print();
        else
            printLine(u"applied "_s + name);
    };
    QDir().mkpath(QFileInfo(place.target.path).absolutePath());
    REDRIVE_ASSIGN(state, checkStore(place.target, knownSchema()));
    if (state.origin == StoreOrigin::Nothing) {
        // The user's tables first: ours are added to them.
        REDRIVE_ASSIGN(bare, Connection::open(place.target, Access::Writer));
        REDRIVE_TRY(applyUserFolders(*bare, place.settings, report));
    }
    REDRIVE_ASSIGN(store, openStore(place.target, Access::Writer));
    REDRIVE_TRY(applyUserFolders(*store, place.settings, report));
    return applied;
}

// The first folder in which the file is pending.
Result<QString> markOne(const Place& place, const QString& name)
{
    REDRIVE_ASSIGN(store, openExisting(place, Access::Writer));
    for (const UserMigrations& folder : userFolders(place.settings)) {
        REDRIVE_ASSIGN(pending, pendingUserMigrations(*store, folder));
        if (!pending.contains(name))
            continue;
        REDRIVE_TRY(markUserMigrationApplied(*store, folder, name));
        return QDir(folder.folder).filePath(name);
    }
    return fail(ErrorKind::NotFound, u"'%1' is not a pending migration"_s.arg(name));
}

int runMark(const Place& place, const Invocation& invocation)
{
    const auto marked = markOne(place, invocation.mark);
    if (!marked)
        return failed(marked.error());
    if (invocation.json)
        JsonLine().add("marked", invocation.mark).print();
    else
        printLine(u"recorded as applied without running it: "_s + *marked);
    return exit_code::kDone;
}

// After a file failed: it is the first of those that are pending.
void offerMark(const Place& place, const Error& error)
{
    if (!foundItMadeAlready(error))
        return;
    const auto store = openExisting(place, Access::Reader);
    const auto pending = store ? pendingUserFolders(**store, place.settings) : fail(store.error());
    if (pending && !pending->isEmpty())
        printNotice(u"Nothing of it is recorded. Where the schema was made by hand and has all of this file, "
                    u"`redrive migrate --mark \"%1\"` marks it as applied without running it."_s.arg(
                        pending->first()));
}

} // namespace

int runMigrate(const Invocation& invocation)
{
    const auto place = findPlace(invocation);
    if (!place)
        return failed(place.error());
    const QList<UserMigrations> folders = userFolders(place->settings);
    for (const UserMigrations& folder : folders)
        if (!QDir(folder.folder).exists())
            return failed({ErrorKind::NotFound,
                           u"the migrations folder '%1' does not exist"_s.arg(folder.folder),
                           {},
                           {}});
    if (!invocation.mark.isEmpty())
        return runMark(*place, invocation);
    const auto applied = applyAll(*place, invocation.json);
    if (!applied) {
        const int code = failed(applied.error());
        offerMark(*place, applied.error());
        return code;
    }
    for (const UserMigrations& folder : folders)
        if (const QString hint = userMigrationsHint(folder); !hint.isEmpty())
            printNotice(hint);
    if (folders.isEmpty())
        printNotice(u"the configuration has no d1_databases, so there are no migrations of yours to apply"_s);
    else if (*applied == 0 && !invocation.json)
        printLine(u"nothing to apply"_s);
    return exit_code::kDone;
}

} // namespace redrive
