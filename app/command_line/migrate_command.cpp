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
    const auto applied = applyAll(*place, invocation.json);
    if (!applied)
        return failed(applied.error());
    for (const UserMigrations& folder : folders)
        if (const QString hint = userMigrationsHint(folder); !hint.isEmpty())
            printNotice(hint);
    if (invocation.json)
        return exit_code::kDone;
    if (folders.isEmpty())
        printLine(u"the configuration has no d1_databases, so there are no migrations of yours to apply"_s);
    else if (*applied == 0)
        printLine(u"nothing to apply"_s);
    return exit_code::kDone;
}

} // namespace redrive
