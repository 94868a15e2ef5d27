// Brings letters back from files of the archive.
#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/operator_name.h"
#include "app/place.h"
#include "core/deadletter/letter_import.h"
#include "core/engine/lone_turn.h"

#include <QFile>
#include <QFileInfo>

#include <cstdio>

namespace redrive {

namespace {

constexpr qsizetype kTargetCharacters = 500;

void printBadLine(const QString& file, qint64 line, const QString& why, bool json)
{
    if (json)
        JsonLine().add("file", file).add("line", line).add("error", why).print();
    else
        printNotice(u"%1:%2: %3"_s.arg(file, QString::number(line), why));
}

void printCounts(const ImportCounts& counts, const Invocation& invocation)
{
    if (invocation.json) {
        JsonLine()
            .add(invocation.dryRun ? "wouldImport" : "imported", counts.brought)
            .add("alreadyThere", counts.there)
            .add("badLines", counts.bad)
            .print();
        return;
    }
    printLine((invocation.dryRun ? u"would import %1"_s : u"imported %1"_s).arg(counts.brought));
    if (counts.there > 0)
        printLine(u"skipped %1: there already, or gone on since"_s.arg(counts.there));
    if (counts.bad > 0)
        printLine(u"%1 lines could not be used"_s.arg(counts.bad));
}

Status readFile(LetterImport& import, const QString& name)
{
    QFile file(name);
    const bool opened = name == u"-" ? file.open(stdin, QIODevice::ReadOnly) : file.open(QIODevice::ReadOnly);
    if (!opened)
        return fail(ErrorKind::NotFound, u"%1 cannot be read"_s.arg(name), file.errorString());
    auto done = import.read(file, name);
    if (!done && (done.error().kind == ErrorKind::InvalidInput || done.error().kind == ErrorKind::Internal))
        done.error().message.prepend(name + u' ');
    return done;
}

} // namespace

int runImport(const Invocation& invocation)
{
    if (const auto allowed = mayChange(invocation); !allowed)
        return failed(allowed.error());
    const auto place = findPlace(invocation);
    if (!place)
        return failed(place.error());
    QStringList notices;
    auto db = invocation.dryRun ? openExisting(*place, Access::Reader) : openForWork(*place, notices);
    for (const QString& notice : notices)
        printNotice(notice);
    if (!db)
        return failed(db.error());

    const SystemClock clock;
    StoreTurn turn;
    if (!invocation.dryRun)
        turn = [&](const std::function<Status(Cycle&)>& work) { return runLoneTurn(**db, clock, work); };
    LetterImport import(**db, turn, [&](const QString& file, qint64 line, const QString& why) {
        printBadLine(file, line, why, invocation.json);
    });
    bool good = true;
    for (const QString& name : invocation.names) {
        if (const Status done = readFile(import, name); !done) {
            failed(done.error());
            good = false;
        }
    }
    if (!invocation.dryRun && import.counts().brought + import.counts().there > 0) {
        AuditEntry entry{
            operatorName(), u"command line"_s, {}, invocation.names.join(u' '), 0, 0, invocation.reason, {}};
        entry.target.truncate(kTargetCharacters);
        if (const Status recorded = import.record(entry); !recorded) {
            failed(recorded.error());
            good = false;
        }
    }
    printCounts(import.counts(), invocation);
    return good && import.counts().bad == 0 ? exit_code::kDone : exit_code::kFailed;
}

} // namespace redrive
