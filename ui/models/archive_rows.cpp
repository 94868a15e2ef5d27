#include "ui/models/archive_rows.h"

#include "ui/models/allow_line.h"
#include "ui/models/format.h"
#include "ui/models/state_words.h"

#include <QCoreApplication>
#include <QDateTime>

#include <algorithm>

namespace redrive {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(Archive)
};

constexpr int kMostRows = 400;

QString ago(qint64 atMs, qint64 nowMs)
{
    return Words::tr("%1 ago").arg(format::duration(nowMs - atMs));
}

bool isCopied(const ArchiveFile& file)
{
    return file.record.uploadedAtMs && file.record.uploadedBytes == file.bytes;
}

PlainCell stateOf(const ArchiveFile& file, bool copies)
{
    if (!copies)
        return {Words::tr("Written"), u"done"_s};
    if (file.record.uploadFailedAtMs)
        return {Words::tr("Not copied"), u"failed"_s};
    if (isCopied(file))
        return {Words::tr("In the bucket"), u"delivered"_s};
    return {file.record.uploadedAtMs ? Words::tr("Grown since") : Words::tr("To be copied"), u"pending"_s};
}

ArchiveFact writtenFact(const ArchiveState& archive, qint64 nowMs)
{
    qint64 letters = 0;
    qint64 bytes = 0;
    qint64 lastMs = 0;
    for (const ArchiveFile& file : archive.files) {
        letters += file.record.letters;
        bytes += file.bytes;
        lastMs = std::max(lastMs, file.writtenAtMs);
    }
    if (archive.files.isEmpty())
        return {Words::tr("Written"), Words::tr("No file yet")};
    const QString text =
        Words::tr("%1 letter(s)", nullptr, format::plural(letters)).arg(format::number(letters)) + u' ' +
        Words::tr("in %1 file(s), %2", nullptr, int(archive.files.size()))
            .arg(format::number(qint64(archive.files.size())), format::size(bytes));
    return {Words::tr("Written"), text, Words::tr("last %1").arg(ago(lastMs, nowMs))};
}

ArchiveFact waitingFact(const ArchiveBacklog& backlog, qint64 nowMs)
{
    const QString label = Words::tr("Waiting");
    if (backlog.due >= ArchiveBacklog::kMostCounted)
        return {label, Words::tr("%1 or more letters are due").arg(format::number(backlog.due))};
    if (backlog.due > 0)
        return {label, Words::tr("%1 letter(s) due", nullptr, format::plural(backlog.due))
                           .arg(format::number(backlog.due))};
    if (!backlog.nextDueAtMs)
        return {label, Words::tr("No letter")};
    return {label, Words::tr("None is due"),
            Words::tr("the next in %1").arg(format::duration(*backlog.nextDueAtMs - nowMs))};
}

ArchiveFact bucketFact(const QString& bucket, const ArchiveState& archive, qint64 nowMs)
{
    if (bucket.isEmpty())
        return {Words::tr("Bucket"), Words::tr("None"), Words::tr("the table archive.s3 names one")};
    qint64 waiting = 0;
    qint64 lastMs = 0;
    for (const ArchiveFile& file : archive.files) {
        waiting += isCopied(file) ? 0 : 1;
        lastMs = std::max(lastMs, file.record.uploadedAtMs.value_or(0));
    }
    QStringList notes;
    if (waiting > 0)
        notes.append(Words::tr("%1 file(s) to be copied", nullptr, format::plural(waiting))
                         .arg(format::number(waiting)));
    notes.append(lastMs > 0 ? Words::tr("last copied %1").arg(ago(lastMs, nowMs))
                            : Words::tr("nothing copied yet"));
    return {Words::tr("Bucket"), cellText(bucket), notes.join(u" \u00B7 "_s)};
}

} // namespace

QList<Column> archiveColumns(bool copies)
{
    QList<Column> columns{
        {u"state"_s, Words::tr("State"), CellKind::State, 15},
        {u"day"_s, Words::tr("Day (UTC)"), CellKind::Text, 13},
        {u"letters"_s, Words::tr("Letters"), CellKind::Number, 10},
        {u"size"_s, Words::tr("Size"), CellKind::Number, 11},
        {u"written"_s, Words::tr("Last written"), CellKind::Age, 13},
        {u"copied"_s, Words::tr("Last copied"), CellKind::Age, 13},
        {u"note"_s, Words::tr("Note"), CellKind::Text, 30, true},
    };
    columns[5].hidden = !copies;
    return columns;
}

QList<PlainRow> archiveRows(const ArchiveState& archive)
{
    QList<PlainRow> rows;
    for (const ArchiveFile& file : archive.files.first(std::min<qsizetype>(archive.files.size(), kMostRows)))
        rows.append({file.name,
                     {stateOf(file, !archive.bucket.isEmpty()),
                      {QDateTime::fromMSecsSinceEpoch(file.dayMs, Qt::UTC).toString(u"yyyy-MM-dd"_s),
                       {},
                       0,
                       Emphasis::Primary,
                       file.name},
                      {file.isKnown() ? QVariant(file.record.letters) : QVariant()},
                      {format::size(file.bytes), {}, 0, {}, format::bytes(file.bytes)},
                      {{}, {}, file.writtenAtMs},
                      {{}, {}, file.record.uploadedAtMs.value_or(0)},
                      {cellText(file.record.uploadError)}}});
    return rows;
}

QList<ArchiveFact> archiveFacts(const EngineFacts::Archive& configured, const ArchiveState& archive,
                                const ArchiveHealth& health, qint64 nowMs)
{
    QList<ArchiveFact> facts{
        {Words::tr("Folder"), cellText(configured.dir),
         configured.keepMs > 0 ? Words::tr("files are kept for %1").arg(format::duration(configured.keepMs))
                               : Words::tr("files are kept for ever")},
        writtenFact(archive, nowMs),
        waitingFact(archive.backlog, nowMs),
        bucketFact(configured.bucket, archive, nowMs)};
    if (const auto& problem = health.writing)
        facts.append({Words::tr("Writing fails"), cellText(problem->why),
                      Words::tr("for %1").arg(format::duration(nowMs - problem->sinceMs)), u"dead"_s});
    else if (!archive.problem.isEmpty())
        facts.append({Words::tr("Writing will fail"), cellText(archive.problem), {}, u"dead"_s});
    if (const auto& problem = health.copying)
        facts.append({Words::tr("Copying fails"), cellText(problem->why),
                      Words::tr("for %1").arg(format::duration(nowMs - problem->sinceMs)), u"dead"_s});
    return facts;
}

QString noArchiveText(const EngineFacts& facts)
{
    qint64 lettersMs = 0;
    qint64 binMs = 0;
    for (const auto& kept : facts.retention) {
        if (kept.key == u"letters")
            lettersMs = kept.ms;
        if (kept.key == u"bin")
            binMs = kept.ms;
    }
    return Words::tr("No archive: dead letters are deleted after %1, discarded ones after %2. These lines of "
                     "the configuration keep them:")
        .arg(format::duration(lettersMs), format::duration(binMs));
}

QString archiveLines(const EngineFacts& facts)
{
    return hasJsonSettings(facts)
               ? u"\"redrive\": {\n  \"archive\": { \"dir\": \"/var/lib/redrive/archive\" }\n}"_s
               : u"[redrive.archive]\ndir = \"/var/lib/redrive/archive\""_s;
}

QString archiveDoneText(ArchiveTask task, const Result<ArchiveTaskDone>& done)
{
    if (task == ArchiveTask::Write) {
        if (!done)
            return Words::tr("The archive was not written: %1").arg(done.error().text());
        return done->count == 0
                   ? Words::tr("No letter is due: there is nothing to write")
                   : Words::tr("%1 letter(s) written to the archive", nullptr, format::plural(done->count))
                         .arg(format::number(done->count));
    }
    if (!done)
        return Words::tr("The archive's files were not copied: %1").arg(done.error().text());
    return done->count == 0
               ? Words::tr("Everything is in the bucket already")
               : Words::tr("%1 file(s) copied to the bucket", nullptr, format::plural(done->count))
                     .arg(format::number(done->count));
}

} // namespace redrive
