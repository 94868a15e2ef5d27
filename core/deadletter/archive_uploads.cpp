#include "core/deadletter/archive_uploads.h"

#include "core/base/log.h"
#include "core/deadletter/archive_state.h"

namespace redrive {

namespace {

// Whether the bucket has it as it is, or had it lately.
bool isDue(const ArchiveFile& file, qint64 nowMs, bool all)
{
    if (!file.record.uploadedAtMs)
        return true;
    if (file.record.uploadedBytes == file.bytes)
        return false;
    const bool isOver = file.dayMs + kDayMs <= nowMs;
    return all || isOver || *file.record.uploadedAtMs + ArchiveUploads::kTodayEveryMs <= nowMs;
}

} // namespace

Result<ArchiveUploads> ArchiveUploads::make(const Settings& settings, TargetGuard guard, StoreTurn turn,
                                            std::function<bool()> goOn)
{
    const ArchiveBucket& to = *settings.archive.s3;
    S3Bucket bucket{to.url, to.bucket, to.region, {}, {}, {}};
    for (const auto& [name, key] : {std::pair(to.accessKeySecret, &bucket.accessKey),
                                    std::pair(to.secretKeySecret, &bucket.secretKey)}) {
        *key = settings.secrets.value(name);
        if (key->isEmpty())
            return fail(ErrorKind::InvalidInput, u"there is no secret '%1'"_s.arg(name));
    }
    return ArchiveUploads(settings.archive, std::move(bucket), std::move(guard), std::move(turn),
                          std::move(goOn));
}

ArchiveUploads::ArchiveUploads(const ArchiveSettings& settings, S3Bucket bucket, TargetGuard guard,
                               StoreTurn turn, std::function<bool()> goOn)
    : m_folder(settings.dir), m_bucket(std::move(bucket)), m_prefix(settings.s3->prefix),
      m_guard(std::move(guard)), m_turn(std::move(turn)), m_goOn(std::move(goOn))
{
}

QString ArchiveUploads::placeOf(const ArchiveBucket& bucket)
{
    return bucket.url + (bucket.url.endsWith(u'/') ? QString() : u"/"_s) + bucket.bucket + u'/' +
           bucket.prefix;
}

Result<int> ArchiveUploads::run(Connection& reader, qint64 nowMs, bool all)
{
    REDRIVE_ASSIGN(files, archiveFiles(reader, m_folder));
    int copied = 0;
    std::optional<FileLock> lock; // nothing is made where there is nothing to copy
    for (const ArchiveFile& file : files) {
        if (!isDue(file, nowMs, all))
            continue;
        if (!lock) {
            REDRIVE_ASSIGN(taken, FileLock::tryLock(m_folder.pathOf(u".upload-lock"_s)));
            lock.emplace(std::move(taken));
        }
        const Status done = upload(file);
        if (!done && done.error().kind != ErrorKind::Cancelled)
            REDRIVE_TRY(m_turn([name = file.name, why = done.error().text()](Cycle& cycle) {
                return archive_store::noteUploadFailed(cycle, name, why);
            }));
        REDRIVE_TRY(done);
        ++copied;
    }
    return copied;
}

Status ArchiveUploads::upload(const ArchiveFile& file)
{
    QFile content(m_folder.pathOf(file.name)); // one that grows is another file: this one stays as it is
    if (!content.open(QIODevice::ReadOnly))
        return fail(ErrorKind::Internal, u"%1 cannot be read"_s.arg(content.fileName()),
                    content.errorString());
    REDRIVE_ASSIGN(object, putObject(m_bucket, m_prefix + file.name, content, m_guard, m_goOn));
    logEvent(LogLevel::Info, "archive_uploaded",
             {{"file", file.name}, {"bytes", QString::number(object.bytes)}});
    return m_turn([name = file.name, object = object](Cycle& cycle) {
        return archive_store::noteUploaded(cycle, name, object.bytes, object.etag);
    });
}

} // namespace redrive
