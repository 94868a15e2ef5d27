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
    qint64 writtenAtMs = 0; // last
    ArchiveRecord record;

    bool isKnown() const { return !record.name.isEmpty(); } // to this store, by its record
};

// What the archive has still to do.
struct ArchiveBacklog
{
    static constexpr int kMostCounted = 10'000;

    qint64 due = 0;                    // letters that are old enough to leave the store; kMostCounted or more
    std::optional<qint64> nextDueAtMs; // of those that are not; discarded ones that come sooner included
};

struct ArchiveState
{
    QString dir;              // empty: no archive
    QString bucket;           // where files are copied to, for people; empty: nowhere
    QList<ArchiveFile> files; // newest first
    ArchiveBacklog backlog;
    QString problem; // why nothing can be written into the folder as it is; empty: nothing is known of
};

// Why a part of the archive does not work.
struct ArchiveProblem
{
    QString why;
    qint64 sinceMs = 0; // as far as this engine knows

    bool operator==(const ArchiveProblem&) const = default;
};

// How an engine's archive does. Counts are since its start.
struct ArchiveHealth
{
    bool isOn = false;
    bool copies = false; // to a bucket
    qint64 letters = 0;  // written
    qint64 copied = 0;   // files
    std::optional<ArchiveProblem> writing;
    std::optional<ArchiveProblem> copying;
};

enum class ArchiveTask {
    Write,  // what is due, now
    Upload, // every file that is not in the bucket as it is, now
};

struct ArchiveTaskDone
{
    qint64 count = 0; // letters written, or files copied
};

} // namespace redrive
