// What can be done about a database that cannot be opened: recover, use-backup, new-database.
#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/operator_name.h"
#include "app/place.h"
#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/db/store_files.h"
#include "core/engine/store_rescue.h"

#include <QFileInfo>

namespace redrive {

namespace {

qint64 nowMs()
{
    return SystemClock().wallMs();
}

store_rescue::AskedBy askedBy(const Invocation& invocation)
{
    return {operatorName(), u"command line"_s, invocation.reason};
}

void printKept(const QString& keptAs, const QString& did, bool json)
{
    const bool kept = QFileInfo::exists(keptAs);
    if (json) {
        JsonLine().addTextOrNull("keptAs", kept ? keptAs : QString()).print();
        return;
    }
    printLine(did);
    if (kept)
        printLine(u"what was there is now "_s + keptAs);
}

int listBackups(const Place& place, bool json)
{
    const QList<StoreCopy> backups = backupsOf(place.target);
    TextTable table({u"MADE"_s, u"BYTES"_s, u"BACKUP"_s});
    for (const StoreCopy& backup : backups) {
        if (json)
            JsonLine()
                .add("backup", backup.path)
                .add("madeAt", backup.changedAtMs)
                .add("bytes", backup.bytes)
                .print();
        else
            table.add({utcText(backup.changedAtMs), QString::number(backup.bytes), backup.path});
    }
    if (json)
        return exit_code::kDone;
    if (backups.isEmpty())
        printLine(u"there is no backup beside %1; any other file can be named"_s.arg(place.target.path));
    else
        table.print();
    return exit_code::kDone;
}

int useBackup(const Place& place, const Invocation& invocation)
{
    const QString file = QFileInfo(invocation.names.first()).absoluteFilePath();
    if (!QFileInfo::exists(file))
        return failed({ErrorKind::NotFound, u"there is no file %1"_s.arg(file), {}, {}});
    const auto keptAs = store_rescue::useBackup(place.target, file, nowMs(), askedBy(invocation));
    if (!keptAs)
        return failed(keptAs.error());
    printKept(*keptAs, u"%1 is now a copy of %2"_s.arg(place.target.path, file), invocation.json);
    return exit_code::kDone;
}

int beginAnew(const Place& place, const Invocation& invocation)
{
    if (!invocation.yes) {
        printError(u"new-database begins with an empty one; --yes does it, the old file stays beside it"_s);
        return exit_code::kUsage;
    }
    const auto keptAs = store_rescue::beginAnew(place.target, nowMs(), askedBy(invocation));
    if (!keptAs)
        return failed(keptAs.error());
    printKept(*keptAs, u"the next start makes a new database at "_s + place.target.path, invocation.json);
    return exit_code::kDone;
}

void printRecovered(const RecoveredStore& recovered, bool json)
{
    TextTable table({u"TABLE"_s, u"ROWS"_s, u""_s});
    for (const RecoveredTable& found : recovered.tables) {
        if (json)
            JsonLine()
                .add("table", found.name)
                .add("rows", found.rows)
                .add("complete", found.complete)
                .print();
        else
            table.add({found.name, QString::number(found.rows),
                       found.complete ? u"all"_s : u"some could not be read"_s});
    }
    if (json) {
        JsonLine().add("recovered", recovered.path).print();
        return;
    }
    table.print();
    printLine(u"saved and checked: "_s + recovered.path);
}

int recover(const Place& place, const Invocation& invocation)
{
    const auto recovered = store_rescue::recover(place.target, nowMs(), {}, askedBy(invocation));
    if (!recovered)
        return failed(recovered.error());
    printRecovered(*recovered, invocation.json);
    if (!invocation.use) {
        if (!invocation.json)
            printLine(u"`redrive recover --use` puts such a file into the database's place at once"_s);
        return exit_code::kDone;
    }
    const auto keptAs =
        store_rescue::useRecovered(place.target, recovered->path, nowMs(), askedBy(invocation));
    if (!keptAs)
        return failed(keptAs.error());
    printKept(*keptAs, u"%1 is now what was recovered"_s.arg(place.target.path), invocation.json);
    return exit_code::kDone;
}

} // namespace

int runRescue(const Invocation& invocation)
{
    const auto place = findPlace(invocation);
    if (!place)
        return failed(place.error());
    if (invocation.command == u"use-backup" && invocation.names.isEmpty())
        return listBackups(*place, invocation.json);
    if (invocation.command == u"recover" && !invocation.use)
        return recover(*place, invocation);
    if (const auto allowed = mayChange(invocation); !allowed)
        return failed(allowed.error());
    setLogLevel(LogLevel::Notice); // who did it and why: for whoever keeps standard error
    if (invocation.command == u"recover")
        return recover(*place, invocation);
    return invocation.command == u"use-backup" ? useBackup(*place, invocation)
                                               : beginAnew(*place, invocation);
}

} // namespace redrive
