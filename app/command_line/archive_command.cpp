// The files of the archive, and their copies in a bucket.
#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/place.h"
#include "core/deadletter/archive_round.h"
#include "core/deadletter/archive_state.h"
#include "core/deadletter/archive_uploads.h"
#include "core/engine/engine_facts.h"
#include "core/engine/lone_turn.h"

namespace redrive {

namespace {

QString copyText(const ArchiveFile& file)
{
    const ArchiveRecord& record = file.record;
    if (record.uploadFailedAtMs)
        return u"failed "_s + utcText(record.uploadFailedAtMs) + u": "_s + record.uploadError;
    if (!record.uploadedAtMs)
        return u"-"_s;
    const QString when = utcText(record.uploadedAtMs);
    return record.uploadedBytes == file.bytes ? when : when + u", has grown since"_s;
}

void printJson(const ArchiveFile& file)
{
    const ArchiveRecord& record = file.record;
    const bool uploaded = record.uploadedAtMs.has_value();
    JsonLine line;
    line.add("file", file.name).add("bytes", file.bytes);
    line.add("letters", file.isKnown() ? std::optional<qint64>(record.letters) : std::nullopt);
    line.add("uploadedAt", record.uploadedAtMs);
    line.add("uploadedBytes", uploaded ? std::optional<qint64>(record.uploadedBytes) : std::nullopt);
    line.addTextOrNull("etag", record.etag).addTextOrNull("uploadError", record.uploadError);
    line.add("uploadFailedAt", record.uploadFailedAtMs);
    line.print();
}

Status list(const Place& place, bool json)
{
    REDRIVE_ASSIGN(db, openExisting(place, Access::Reader));
    REDRIVE_ASSIGN(state, readArchiveState(*db, place.settings.archive));
    TextTable table({u"FILE"_s, u"LETTERS"_s, u"BYTES"_s, u"UPLOADED"_s});
    for (const ArchiveFile& file : state.files) {
        if (json)
            printJson(file);
        else
            table.add({file.name, file.isKnown() ? QString::number(file.record.letters) : u"-"_s,
                       QString::number(file.bytes), copyText(file)});
    }
    if (json)
        return {};
    if (!state.files.isEmpty())
        table.print();
    printNotice(state.bucket.isEmpty() ? u"in %1"_s.arg(state.dir)
                                       : u"in %1, copied to %2"_s.arg(state.dir, state.bucket));
    return {};
}

StoreTurn turnsOf(Connection& db, const Clock& clock)
{
    return [&](const std::function<Status(Cycle&)>& work) { return runLoneTurn(db, clock, work); };
}

Status archiveNow(const Place& place, bool json)
{
    const Settings& settings = place.settings;
    REDRIVE_ASSIGN(db, openExisting(place, Access::Writer));
    const SystemClock clock;
    ArchiveRound archiving(settings.archive, settings.retention, turnsOf(*db, clock), [] { return true; });
    qint64 letters = 0;
    for (bool more = true; more;) {
        REDRIVE_ASSIGN(report, archiving.run(*db, clock.wallMs()));
        letters += report.letters;
        more = report.more;
    }
    if (json)
        JsonLine().add("archived", letters).print();
    else
        printLine(u"archived %1"_s.arg(letters));
    return {};
}

Status upload(const Place& place, bool json)
{
    const Settings& settings = place.settings;
    if (!settings.archive.s3)
        return fail(ErrorKind::Refused, u"archive.s3 is not configured: the files are copied nowhere"_s);
    REDRIVE_ASSIGN(guard, TargetGuard::make(settings.allowPrivateTargets, staysOnLoopback(settings)));
    REDRIVE_ASSIGN(db, openExisting(place, Access::Writer));
    const SystemClock clock;
    REDRIVE_ASSIGN(uploads, ArchiveUploads::make(settings, guard, turnsOf(*db, clock), [] { return true; }));
    REDRIVE_ASSIGN(copied, uploads.run(*db, clock.wallMs(), true));
    if (json)
        JsonLine().add("uploaded", copied).print();
    else if (copied == 0)
        printLine(u"everything is there already"_s);
    else
        printLine(u"uploaded %1 to %2"_s.arg(QString::number(copied),
                                             ArchiveUploads::placeOf(*settings.archive.s3)));
    return {};
}

} // namespace

int runArchive(const Invocation& invocation)
{
    const QString what = invocation.names.value(0, u"list"_s);
    const bool lists = what == u"list";
    if (!lists && what != u"now" && what != u"upload") {
        printError(u"archive takes list, now or upload"_s);
        return exit_code::kUsage;
    }
    if (!lists)
        if (const auto allowed = mayChange(invocation); !allowed)
            return failed(allowed.error());
    const auto place = findPlace(invocation);
    if (!place)
        return failed(place.error());
    if (place->settings.archive.dir.isEmpty())
        return failed({ErrorKind::Refused,
                       u"there is no archive: redrive.archive.dir is where it is written to"_s,
                       {},
                       {}});
    const Status done = lists            ? list(*place, invocation.json)
                        : what == u"now" ? archiveNow(*place, invocation.json)
                                         : upload(*place, invocation.json);
    return done ? exit_code::kDone : failed(done.error());
}

} // namespace redrive
