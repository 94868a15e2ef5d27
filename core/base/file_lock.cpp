#include "core/base/file_lock.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace redrive {

namespace {

struct flock wholeFile()
{
    struct flock range = {};
    range.l_type = F_WRLCK;
    range.l_whence = SEEK_SET;
    return range;
}

} // namespace

Result<FileLock> FileLock::tryLock(const QString& path)
{
    QDir().mkpath(QFileInfo(path).absolutePath());
    const int fd = ::open(QFile::encodeName(path).constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return fail(ErrorKind::ReadOnly, u"the lock file "_s + path + u" cannot be opened"_s,
                    QString::fromLocal8Bit(std::strerror(errno)));
    FileLock lock(path, fd);
    struct flock range = wholeFile();
    if (::fcntl(fd, F_OFD_SETLK, &range) == 0)
        return lock;
    if (errno == EAGAIN || errno == EACCES)
        return fail(ErrorKind::Busy, path + u" is locked by someone else"_s);
    return fail(ErrorKind::Internal, u"locking "_s + path, QString::fromLocal8Bit(std::strerror(errno)));
}

bool FileLock::isHeld(const QString& path)
{
    const int fd = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    struct flock range = wholeFile();
    const bool held = ::fcntl(fd, F_OFD_GETLK, &range) == 0 && range.l_type != F_UNLCK;
    ::close(fd);
    return held;
}

FileLock::FileLock(FileLock&& other) noexcept
    : m_path(std::move(other.m_path)), m_fd(std::exchange(other.m_fd, -1))
{
}

FileLock& FileLock::operator=(FileLock&& other) noexcept
{
    if (this != &other) {
        release();
        m_path = std::move(other.m_path);
        m_fd = std::exchange(other.m_fd, -1);
    }
    return *this;
}

FileLock::~FileLock()
{
    release();
}

void FileLock::release()
{
    if (m_fd >= 0)
        ::close(std::exchange(m_fd, -1));
}

void FileLock::releaseAndRemove()
{
    if (m_fd >= 0)
        QFile::remove(m_path);
    release();
}

} // namespace redrive
