#include "core/db/ballast.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace redrive {

namespace {

constexpr qint64 kShare = 20; // one part in so many of the file system

struct Space
{
    qint64 total = 0;
    qint64 available = 0;
};

Space spaceAt(const QString& file)
{
    struct statvfs found = {};
    const QByteArray folder = QFile::encodeName(QFileInfo(file).absolutePath());
    if (::statvfs(folder.constData(), &found) != 0)
        return {};
    return {qint64(found.f_blocks) * qint64(found.f_frsize), qint64(found.f_bavail) * qint64(found.f_frsize)};
}

} // namespace

Ballast::Ballast(const QString& databasePath, qint64 bytes)
    : m_path(databasePath + QStringLiteral("-ballast"))
{
    const Space space = spaceAt(m_path);
    m_bytes = space.total > 0 ? std::min(bytes, space.total / kShare) : bytes;
}

bool Ballast::isThere() const
{
    struct stat found = {};
    return ::stat(QFile::encodeName(m_path).constData(), &found) == 0 && found.st_size == m_bytes &&
           found.st_blocks * 512 >= m_bytes;
}

Ballast::Made Ballast::make()
{
    if (m_bytes == 0 || isThere())
        return Made::Yes;
    if (spaceAt(m_path).available < 2 * m_bytes)
        return Made::NoRoom;
    const QByteArray path = QFile::encodeName(m_path);
    const int fd = ::open(path.constData(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const bool kept = fd >= 0 && ::fallocate(fd, 0, 0, m_bytes) == 0;
    const int error = errno;
    if (fd >= 0)
        ::close(fd);
    if (kept)
        return Made::Yes;
    ::unlink(path.constData());
    m_failure = QString::fromLocal8Bit(std::strerror(error));
    return error == ENOSPC || error == EDQUOT ? Made::NoRoom : Made::Failed;
}

void Ballast::giveBack()
{
    ::unlink(QFile::encodeName(m_path).constData());
}

bool Ballast::isRoom() const
{
    return spaceAt(m_path).available >= m_bytes + m_bytes / 2;
}

} // namespace redrive
