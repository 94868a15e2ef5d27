#include "core/db/file_watch.h"

#include <QFile>

#include <sys/stat.h>

namespace redrive {

FileWatch::FileWatch(const DatabaseTarget& target)
{
    m_files[0].path = QFile::encodeName(target.path);
    m_files[1].path = QFile::encodeName(target.path + u"-wal"_s);
    for (const Watched& file : m_files)
        (void)isSame(file);
}

bool FileWatch::isSame(const Watched& watched)
{
    struct stat found = {};
    const bool there = ::stat(watched.path.constData(), &found) == 0;
    if (watched.inode == 0 && there) {
        watched.device = found.st_dev;
        watched.inode = found.st_ino;
    }
    return watched.inode == 0 || (there && watched.inode == found.st_ino && watched.device == found.st_dev);
}

Status FileWatch::check() const
{
    if (!isSame(m_files[0]))
        return fail(ErrorKind::Corrupt, u"The database file was moved or deleted while in use. New jobs are "
                                        u"refused. Put the file back or choose another one."_s);
    if (!isSame(m_files[1]))
        return fail(ErrorKind::Corrupt,
                    u"The database's log (-wal) was moved or deleted while in use. New jobs "
                    u"are refused. Put the file back or choose another one."_s);
    return {};
}

} // namespace redrive
