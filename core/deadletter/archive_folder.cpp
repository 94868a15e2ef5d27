#include "core/deadletter/archive_folder.h"

#include "core/base/line_reader.h"
#include "core/domain/archive_line.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QRegularExpression>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace redrive {

namespace {

constexpr qsizetype kCopyBytes = 1024 * 1024;

Error systemError(const QString& doing, int code)
{
    const bool full = code == ENOSPC || code == EDQUOT || code == EFBIG;
    const bool closed = code == EROFS || code == EACCES || code == EPERM;
    return {full     ? ErrorKind::StorageFull
            : closed ? ErrorKind::ReadOnly
                     : ErrorKind::Internal,
            doing,
            QString::fromLocal8Bit(std::strerror(code)),
            {}};
}

Status makeFolder(const QString& path)
{
    const QByteArray encoded = QFile::encodeName(path);
    struct stat found = {};
    if (::stat(encoded.constData(), &found) == 0)
        return S_ISDIR(found.st_mode) ? Status() : fail(ErrorKind::ReadOnly, path + u" is no folder"_s);
    if (const QString parent = QFileInfo(path).path(); parent != path)
        REDRIVE_TRY(makeFolder(parent));
    if (::mkdir(encoded.constData(), 0700) != 0 && errno != EEXIST)
        return fail(systemError(u"the folder %1 cannot be made"_s.arg(path), errno));
    return {};
}

Status writeAll(int fd, const char* data, qint64 size, const QString& path)
{
    while (size > 0) {
        const auto written = ::write(fd, data, size_t(size));
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return fail(systemError(u"%1 cannot be written"_s.arg(path), written < 0 ? errno : ENOSPC));
        data += written;
        size -= written;
    }
    return {};
}

Status syncFolder(const QString& path)
{
    const int fd = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool synced = fd >= 0 && ::fsync(fd) == 0;
    const int code = errno;
    if (fd >= 0)
        ::close(fd);
    return synced ? Status() : fail(systemError(u"the folder %1 cannot be synced"_s.arg(path), code));
}

} // namespace

QString ArchiveFolder::fileName(qint64 atMs)
{
    const QString day = QDateTime::fromMSecsSinceEpoch(atMs, Qt::UTC).toString(u"yyyy-MM-dd"_s);
    return u"letters-"_s + day + u".ndjson.gz"_s;
}

Result<FileLock> ArchiveFolder::lock() const
{
    REDRIVE_TRY(makeFolder(m_dir));
    auto lock = FileLock::tryLock(pathOf(u".lock"_s));
    if (!lock && lock.error().kind == ErrorKind::Busy)
        lock.error().message = u"another process works in %1"_s.arg(m_dir);
    if (!lock)
        return lock;
    for (const QString& left : QDir(m_dir).entryList({u".letters-*.new"_s}, QDir::Files | QDir::Hidden))
        QFile::remove(pathOf(left));
    return lock;
}

QString ArchiveFolder::obstacle() const
{
    const QByteArray path = QFile::encodeName(m_dir);
    struct stat found = {};
    if (::stat(path.constData(), &found) != 0)
        return errno == ENOENT ? QString() : systemError(m_dir + u" cannot be looked at"_s, errno).text();
    if (!S_ISDIR(found.st_mode))
        return m_dir + u" is no folder"_s;
    return ::access(path.constData(), W_OK | X_OK) == 0
               ? QString()
               : systemError(u"%1 cannot be written"_s.arg(m_dir), errno).text();
}

QList<ArchiveFile> ArchiveFolder::files() const
{
    static const QRegularExpression pattern(u"\\Aletters-(\\d{4}-\\d\\d-\\d\\d)\\.ndjson\\.gz\\z"_s);
    QList<ArchiveFile> found;
    for (const QFileInfo& file : QDir(m_dir).entryInfoList({u"letters-*.ndjson.gz"_s}, QDir::Files)) {
        const auto match = pattern.match(file.fileName());
        const QDate day = QDate::fromString(match.captured(1), Qt::ISODate);
        if (day.isValid())
            found.append({file.fileName(),
                          day.startOfDay(Qt::UTC).toMSecsSinceEpoch(),
                          file.size(),
                          file.lastModified().toMSecsSinceEpoch(),
                          {}});
    }
    std::sort(found.begin(), found.end(),
              [](const ArchiveFile& a, const ArchiveFile& b) { return a.dayMs < b.dayMs; });
    return found;
}

Status ArchiveFolder::remove(const QString& name) const
{
    if (::unlink(QFile::encodeName(pathOf(name)).constData()) != 0 && errno != ENOENT)
        return fail(systemError(u"%1 cannot be deleted"_s.arg(pathOf(name)), errno));
    return {};
}

Status ArchiveFolder::readMarks(const QString& name, qint64 offset, qsizetype atOnce,
                                const std::function<Status(const QList<LetterMark>&)>& take) const
{
    const QString path = pathOf(name);
    const auto unreadable = [&](const Error& error) {
        return fail(ErrorKind::Internal, path + u' ' + error.message, error.detail);
    };
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly) || !file.seek(offset))
        return fail(ErrorKind::Internal, u"%1 cannot be read"_s.arg(path), file.errorString());
    UnpackedText text(file);
    LineReader lines(text, kMostLineBytes);
    QList<LetterMark> marks;
    for (LineReader::Line line;;) {
        const auto more = lines.next(line);
        if (!more)
            return unreadable(more.error());
        if (!*more)
            return marks.isEmpty() ? Status() : take(marks);
        if (line.tooLong) // archived once more, then
            continue;
        auto mark = readLetterMark(line.text);
        if (!mark)
            return unreadable(mark.error());
        marks.append(*std::move(mark));
        if (marks.size() < atOnce)
            continue;
        REDRIVE_TRY(take(marks));
        marks.clear();
    }
}

Result<ArchiveAppend> ArchiveAppend::begin(const ArchiveFolder& folder, const QString& name)
{
    ArchiveAppend append;
    append.m_folder = folder.dir();
    append.m_path = folder.pathOf(name);
    append.m_temporary = folder.pathOf(u'.' + name + u".new"_s);
    append.m_fd = ::open(QFile::encodeName(append.m_temporary).constData(),
                         O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (append.m_fd < 0)
        return fail(systemError(u"%1 cannot be made"_s.arg(append.m_temporary), errno));
    REDRIVE_TRY(append.copyFrom(append.m_path));
    return append;
}

Status ArchiveAppend::copyFrom(const QString& path)
{
    const int from = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC);
    if (from < 0)
        return errno == ENOENT ? Status() : fail(systemError(u"%1 cannot be read"_s.arg(path), errno));
    Status done;
    QByteArray buffer(kCopyBytes, Qt::Uninitialized);
    for (;;) {
        const auto read = ::read(from, buffer.data(), size_t(buffer.size()));
        if (read < 0 && errno == EINTR)
            continue;
        if (read < 0)
            done = fail(systemError(u"%1 cannot be read"_s.arg(path), errno));
        if (read <= 0)
            break;
        done = writeAll(m_fd, buffer.constData(), read, m_temporary);
        if (!done)
            break;
        m_bytes += read;
    }
    ::close(from);
    return done;
}

Status ArchiveAppend::write(const QByteArray& packed)
{
    REDRIVE_TRY(writeAll(m_fd, packed.constData(), packed.size(), m_temporary));
    m_bytes += packed.size();
    return {};
}

Result<qint64> ArchiveAppend::commit()
{
    const QByteArray from = QFile::encodeName(m_temporary);
    if (::fsync(m_fd) != 0 || ::rename(from.constData(), QFile::encodeName(m_path).constData()) != 0)
        return fail(systemError(u"%1 cannot be written"_s.arg(m_path), errno));
    m_temporary.clear();
    REDRIVE_TRY(syncFolder(m_folder));
    return m_bytes;
}

ArchiveAppend::ArchiveAppend(ArchiveAppend&& other) noexcept
    : m_folder(std::move(other.m_folder)), m_path(std::move(other.m_path)),
      m_temporary(std::exchange(other.m_temporary, {})), m_fd(std::exchange(other.m_fd, -1)),
      m_bytes(other.m_bytes)
{
}

ArchiveAppend::~ArchiveAppend()
{
    if (m_fd >= 0)
        ::close(m_fd);
    if (!m_temporary.isEmpty())
        ::unlink(QFile::encodeName(m_temporary).constData());
}

} // namespace redrive
