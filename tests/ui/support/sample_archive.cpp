// An archive of a few days, and a file of it that is imported.
#include "tests/ui/support/sample_data.h"

namespace redrive::test {

namespace {
constexpr qint64 kDay = 86'400'000;
}

EngineFacts::Archive sampleArchiveFacts()
{
    return {u"/var/lib/redrive/archive"_s, 365 * kDay,
            u"https://4f1c.r2.cloudflarestorage.com/letters/production/"_s};
}

ArchiveState sampleArchive(qint64 nowMs)
{
    ArchiveState archive;
    archive.dir = sampleArchiveFacts().dir;
    archive.bucket = sampleArchiveFacts().bucket;
    archive.backlog.nextDueAtMs = nowMs + 3 * 3'600'000 + 12 * 60'000;
    const qint64 today = nowMs / kDay * kDay;
    for (int day = 0; day < 5; ++day) {
        ArchiveFile file;
        file.dayMs = today - day * kDay;
        const QString date = QDateTime::fromMSecsSinceEpoch(file.dayMs, Qt::UTC).toString(u"yyyy-MM-dd"_s);
        file.name = u"letters-"_s + date + u".ndjson.gz"_s;
        file.bytes = 48'000 + day * 91'000;
        file.writtenAtMs = day == 0 ? nowMs - 190'000 : file.dayMs + kDay - 4'000'000;
        file.record.name = file.name;
        file.record.letters = 31 + day * 74;
        file.record.bytes = file.bytes;
        if (day != 1) {
            file.record.uploadedAtMs = day == 0 ? nowMs - 2'400'000 : file.dayMs + kDay + 60'000;
            file.record.uploadedBytes = day == 0 ? 21'000 : file.bytes;
        } else {
            file.record.uploadError = u"the bucket letters answered HTTP 503 SlowDown: reduce your rate"_s;
            file.record.uploadFailedAtMs = nowMs - 420'000;
        }
        archive.files.append(file);
    }
    return archive;
}

ImportProgress sampleImport()
{
    ImportProgress progress;
    progress.counts = {212, 18, 3};
    progress.badLines = {{17, u"is no JSON: a name is expected at 1:2"_s},
                         {90, u"'deadAt' is missing or wrong"_s},
                         {233, u"is of a newer Redrive: version 2, this one reads 1"_s}};
    progress.bytes = progress.bytesRead = 139'000;
    progress.isLast = true;
    return progress;
}

} // namespace redrive::test
