#include "app/demo/demo_archive.h"

#include "core/base/gzip.h"
#include "core/base/ids.h"
#include "core/deadletter/archive_folder.h"
#include "core/domain/archive_line.h"
#include "core/domain/reason.h"

#include <QDateTime>
#include <QFile>

#include <array>

namespace redrive {

namespace {

constexpr int kDays = 4;
constexpr qint64 kStayedMs = 14 * kDayMs; // in the database, before they were archived

struct Sample
{
    const char* type;
    const char* error;
    const char* payload; // %1 counts
};

constexpr std::array<Sample, 3> kSamples{{
    {"report", "connection to the report server refused", R"({"month":"2031-04","customer":%1})"},
    {"import", "row 17: the price is missing", R"({"file":"prices-%1.csv"})"},
    {"legacy_export", "this format is not written any more", R"({"id":%1})"},
}};

ArchivedLetter letterOf(const Sample& sample, int number, qint64 deadAtMs)
{
    ArchivedLetter letter;
    letter.no = number;
    letter.kind = LetterKind::Job;
    letter.subjectId = newId(deadAtMs);
    letter.sourceQueue = u"jobs"_s;
    letter.deadLetterQueue = u"jobs-dlq"_s;
    letter.type = QString::fromLatin1(sample.type);
    letter.attempts = 3;
    letter.maxAttempts = 3;
    letter.reason = reason::kRetriesUsedUp;
    letter.error = QString::fromLatin1(sample.error);
    letter.contentType = u"json"_s;
    letter.body = QByteArray(sample.payload).replace("%1", QByteArray::number(number));
    letter.sentAtMs = deadAtMs - 9'000;
    letter.deadAtMs = letter.changedAtMs = deadAtMs;
    ArchivedLetter::Job job;
    job.attempts = 3;
    job.queue = letter.sourceQueue;
    job.reason = letter.reason;
    job.error = letter.error;
    job.createdAtMs = letter.sentAtMs;
    job.updatedAtMs = deadAtMs;
    letter.job = job;
    return letter;
}

} // namespace

Status writeDemoArchive(const QString& path, qint64 nowMs)
{
    const ArchiveFolder folder(path);
    REDRIVE_ASSIGN(lock, folder.lock());
    int number = 100;
    for (int day = kDays; day > 0; --day) {
        const qint64 archivedAtMs = nowMs - day * kDayMs;
        QByteArray lines;
        for (int i = 0; i < 6 + day * 7 % 11; ++i, ++number)
            lines += archiveLine(letterOf(kSamples[size_t(number) % kSamples.size()], number,
                                          archivedAtMs - kStayedMs + i * 60'000),
                                 archivedAtMs);
        REDRIVE_ASSIGN(append, ArchiveAppend::begin(folder, ArchiveFolder::fileName(archivedAtMs)));
        REDRIVE_TRY(append.write(gzipMember(lines)));
        REDRIVE_TRY(append.commit());
        QFile written(folder.pathOf(ArchiveFolder::fileName(archivedAtMs)));
        if (written.open(QIODevice::ReadWrite)) // as if it had been written then
            written.setFileTime(QDateTime::fromMSecsSinceEpoch(archivedAtMs), QFile::FileModificationTime);
    }
    return {};
}

} // namespace redrive
