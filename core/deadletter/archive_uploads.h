// Copies of the archive's files in a bucket: of a day that is over as soon as it can be, of today's once an
// hour while it grows. What was copied is noted in the store, so that the next engine goes on from there. One
// thread; blocks.
#pragma once

#include "core/config/settings.h"
#include "core/deadletter/archive_folder.h"
#include "core/net/s3_upload.h"
#include "core/store/turn_inbox.h"

namespace redrive {

class ArchiveUploads final
{
public:
    static constexpr qint64 kTodayEveryMs = 3'600'000;

    // InvalidInput: a secret that is not there. `settings.archive.s3` is set.
    static Result<ArchiveUploads> make(const Settings& settings, TargetGuard guard, StoreTurn turn,
                                       std::function<bool()> goOn);

    // How many files were copied. The first failure ends it, and stands with its file. `all`: today's too,
    // whenever it was copied last. Busy: another process copies from the folder.
    Result<int> run(Connection& reader, qint64 nowMs, bool all = false);

    // Where the files go, for people.
    static QString placeOf(const ArchiveBucket& bucket);

private:
    ArchiveUploads(const ArchiveSettings& settings, S3Bucket bucket, TargetGuard guard, StoreTurn turn,
                   std::function<bool()> goOn);
    Status upload(const ArchiveFile& file);

    ArchiveFolder m_folder;
    S3Bucket m_bucket;
    QString m_prefix;
    TargetGuard m_guard;
    StoreTurn m_turn;
    std::function<bool()> m_goOn;
};

} // namespace redrive
