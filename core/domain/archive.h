// The archive of dead letters as it is shown. Plain values; any thread.
#pragma once

#include <QList>
#include <QString>

#include <optional>

namespace redrive {

// What the store knows of a file of the archive. Times are unix milliseconds.
struct ArchiveRecord
{
    QString name;
    qint64 letters = 0; // written by this store
    qint64 bytes = 0;   // of the file, when what it holds had left the store
    std::optional<qint64> uploadedAtMs;
    qint64 uploadedBytes = 0;
    QString etag;        // the bucket's word for what it holds
    QString uploadError; // of the last try; empty: none, or it worked
    std::optional<qint64> uploadFailedAtMs;
};

struct ArchiveFile
{
    QString name;
    qint64 dayMs = 0; // UTC, its beginning
    qint64 bytes = 0;
    ArchiveRecord record;

    bool isKnown() const { return !record.name.isEmpty(); } // to this store, by its record
};

struct ArchiveState
{
    QString dir;              // empty: no archive
    QString bucket;           // where files are copied to, for people; empty: nowhere
    QList<ArchiveFile> files; // newest first
    QString problem;          // why letters cannot be archived; empty: they can, as far as is known
};

} // namespace redrive
