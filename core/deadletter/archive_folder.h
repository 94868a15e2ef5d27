// The files of the archive: one a day, gzip of lines of JSON. A file is never changed in place: what grows is
// written anew beside it, synced and put into its place, so that readers, crashes and a full disk always find
// a whole one. Any thread; changes under lock().
#pragma once

#include "core/base/file_lock.h"
#include "core/domain/archive.h"
#include "core/domain/archived_letter.h"

#include <QByteArray>

#include <functional>

namespace redrive {

inline constexpr qint64 kDayMs = 86'400'000;
// A line of more bytes is read neither by import nor by the engine.
inline constexpr qsizetype kMostLineBytes = 16 * 1024 * 1024;

class ArchiveFolder final
{
public:
    explicit ArchiveFolder(QString dir) : m_dir(std::move(dir)) {}

    const QString& dir() const { return m_dir; }
    QString pathOf(const QString& name) const { return m_dir + u'/' + name; }
    // letters-2031-05-02.ndjson.gz
    static QString fileName(qint64 atMs);

    // Makes the folder, for its owner only, and clears away what an interrupted writer left. Busy: another
    // process works in it.
    Result<FileLock> lock() const;
    // Why nothing can be written into it as it is; empty: nothing is known of, it is made when it is needed.
    QString obstacle() const;
    // Oldest first; none where there is no folder.
    QList<ArchiveFile> files() const;
    Status remove(const QString& name) const;

    // Which letters stand in a file from an offset on, so many at a time; an error of `take` ends it. The
    // offset is an end of an earlier append.
    Status readMarks(const QString& name, qint64 offset, qsizetype atOnce,
                     const std::function<Status(const QList<LetterMark>&)>& take) const;

private:
    QString m_dir;
};

// More lines for a file of the folder, which has them all or none. One thread.
class ArchiveAppend final
{
public:
    static Result<ArchiveAppend> begin(const ArchiveFolder& folder, const QString& name);
    ~ArchiveAppend(); // as if it had not been, unless committed
    ArchiveAppend(ArchiveAppend&& other) noexcept;
    ArchiveAppend& operator=(ArchiveAppend&&) = delete;

    // A gzip member.
    Status write(const QByteArray& packed);
    // Durable when it returns: how many bytes the file has now.
    Result<qint64> commit();

    qint64 bytes() const { return m_bytes; }

private:
    ArchiveAppend() = default;
    Status copyFrom(const QString& path);

    QString m_folder;
    QString m_path;
    QString m_temporary;
    int m_fd = -1;
    qint64 m_bytes = 0;
};

} // namespace redrive
