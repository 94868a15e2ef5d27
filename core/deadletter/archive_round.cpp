#include "core/deadletter/archive_round.h"

#include "core/base/gzip.h"
#include "core/base/log.h"
#include "core/domain/archive_line.h"
#include "core/store/retention_store.h"

namespace redrive {

namespace {

Error stopped()
{
    return {ErrorKind::Cancelled, u"the engine is stopping"_s, {}, {}};
}

const ArchiveRecord* recordOf(const QList<ArchiveRecord>& records, const QString& name)
{
    for (const ArchiveRecord& record : records)
        if (record.name == name)
            return &record;
    return nullptr;
}

} // namespace

ArchiveRound::ArchiveRound(const ArchiveSettings& archive, const RetentionSettings& retention, StoreTurn turn,
                           std::function<bool()> goOn)
    : m_settings(archive), m_retention(retention), m_folder(archive.dir), m_turn(std::move(turn)),
      m_goOn(std::move(goOn))
{
}

Result<ArchiveRound::Report> ArchiveRound::run(Connection& reader, qint64 nowMs)
{
    REDRIVE_ASSIGN(lock, m_folder.lock());
    REDRIVE_TRY(finishInterrupted(reader));
    REDRIVE_ASSIGN(report, archive(reader, nowMs));
    REDRIVE_TRY(prune(reader, nowMs));
    return report;
}

Status ArchiveRound::finishInterrupted(Connection& reader)
{
    REDRIVE_ASSIGN(records, archive_store::records(reader));
    const QString newest = records.isEmpty() ? QString() : records.first().name;
    for (const ArchiveFile& file : m_folder.files()) {
        if (file.name < newest)
            continue;
        const ArchiveRecord* record = recordOf(records, file.name);
        const qint64 known = record ? record->bytes : 0;
        if (file.bytes == known)
            continue;
        qint64 letters = 0;
        const auto take = [&](const QList<LetterMark>& marks) -> Status {
            letters += marks.size();
            REDRIVE_ASSIGN(left, archive_store::stillThere(reader, marks));
            return left.isEmpty() ? Status() : removeFromStore(left);
        };
        // One that became shorter is not the one that was written.
        const qint64 offset = file.bytes > known ? known : 0;
        REDRIVE_TRY(m_folder.readMarks(file.name, offset, kLettersInTurn, take));
        REDRIVE_TRY(noteWritten(file.name, letters, file.bytes));
    }
    return {};
}

Result<ArchiveRound::Report> ArchiveRound::archive(Connection& reader, qint64 nowMs)
{
    const QString name = ArchiveFolder::fileName(nowMs);
    archive_store::Walk walk;
    REDRIVE_ASSIGN(open, archive_store::due(reader, walk, nowMs - m_retention.lettersMs, 1));
    walk = {LetterState::Discarded};
    REDRIVE_ASSIGN(discarded, archive_store::due(reader, walk, nowMs - m_retention.binMs, 1));
    Report report;
    if (open.isEmpty() && discarded.isEmpty())
        return report;

    REDRIVE_ASSIGN(append, ArchiveAppend::begin(m_folder, name));
    REDRIVE_ASSIGN(letters, write(reader, nowMs, append, report.more));
    if (letters.isEmpty()) // they were requeued meanwhile
        return report;
    REDRIVE_ASSIGN(bytes, append.commit());
    report.letters = letters.size();
    report.fileBytes = bytes;
    for (qsizetype at = 0; at < letters.size(); at += kLettersInTurn)
        REDRIVE_TRY(removeFromStore(letters.mid(at, kLettersInTurn)));
    REDRIVE_TRY(noteWritten(name, letters.size(), bytes));
    logEvent(LogLevel::Info, "letters_archived",
             {{"file", name}, {"letters", QString::number(letters.size())}});
    return report;
}

Result<QList<LetterMark>> ArchiveRound::write(Connection& reader, qint64 nowMs, ArchiveAppend& append,
                                              bool& more)
{
    QList<LetterMark> letters;
    QByteArray lines;
    const qint64 before = append.bytes();
    const auto flush = [&]() -> Status {
        const QByteArray packed = gzipMember(lines);
        lines.clear();
        return append.write(packed);
    };
    for (const LetterState state : {LetterState::Open, LetterState::Discarded}) {
        const qint64 untilMs =
            nowMs - (state == LetterState::Open ? m_retention.lettersMs : m_retention.binMs);
        archive_store::Walk walk{state};
        for (;;) {
            if (!m_goOn())
                return fail(stopped());
            REDRIVE_ASSIGN(found, archive_store::due(reader, walk, untilMs, kLettersRead));
            for (const ArchivedLetter& letter : found) {
                lines += archiveLine(letter, nowMs);
                letters.append(letter.mark());
                if (lines.size() >= kMemberBytes)
                    REDRIVE_TRY(flush());
            }
            if (found.size() < kLettersRead)
                break;
            more = letters.size() >= kLettersInFile || append.bytes() - before >= kBytesInFile;
            if (more)
                break;
        }
        if (more)
            break;
    }
    if (!lines.isEmpty())
        REDRIVE_TRY(flush());
    return letters;
}

Status ArchiveRound::removeFromStore(const QList<LetterMark>& letters)
{
    if (!m_goOn())
        return fail(stopped());
    return m_turn([letters](Cycle& cycle) -> Status {
        REDRIVE_TRY(retention_store::deleteArchivedLetters(cycle, letters));
        return {};
    });
}

// Only when all that stand in the file are out of the store.
Status ArchiveRound::noteWritten(const QString& name, qint64 letters, qint64 bytes)
{
    return m_turn([=](Cycle& cycle) { return archive_store::noteWritten(cycle, name, letters, bytes); });
}

Status ArchiveRound::prune(Connection& reader, qint64 nowMs)
{
    if (m_settings.keepMs <= 0)
        return {};
    REDRIVE_ASSIGN(records, archive_store::records(reader));
    for (const ArchiveFile& file : m_folder.files()) {
        if (file.dayMs + kDayMs + m_settings.keepMs > nowMs)
            break;
        const ArchiveRecord* record = recordOf(records, file.name);
        const bool uploaded = record && record->uploadedBytes == file.bytes;
        if (m_settings.s3 && !uploaded) // it is nowhere else yet
            continue;
        REDRIVE_TRY(m_folder.remove(file.name));
        logEvent(LogLevel::Info, "archive_file_deleted", {{"file", file.name}});
        if (record)
            REDRIVE_TRY(
                m_turn([name = file.name](Cycle& cycle) { return archive_store::forget(cycle, name); }));
    }
    return {};
}

} // namespace redrive
