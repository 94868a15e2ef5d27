#include "core/jobs/work_folder.h"

#include <QFile>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace redrive {

namespace {

constexpr char kName[] = "/redrive-work-";
constexpr int kRandomSize = 6; // mkdtemp() puts it where as many X stand
constexpr int kRounds = 5;     // a process may start another one while it is looked for

// A descriptor that holds the folder; -1 when it is gone, held by somebody else, or not ours.
int lockFolder(const QByteArray& path, int flags)
{
    const int fd = ::open(path.constData(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return -1;
    struct stat held = {};
    struct stat named = {};
    int locked = 0;
    while ((locked = ::flock(fd, LOCK_EX | flags)) != 0 && errno == EINTR) {
    }
    if (locked == 0 && ::fstat(fd, &held) == 0 && held.st_uid == ::geteuid() &&
        ::lstat(path.constData(), &named) == 0 && named.st_ino == held.st_ino && named.st_dev == held.st_dev)
        return fd;
    ::close(fd);
    return -1;
}

// Never this process: an engine that a program started carries that program's mark.
bool isMarked(const QString& process, const QByteArray& mark)
{
    if (process.toInt() == ::getpid())
        return false;
    QFile file(u"/proc/%1/environ"_s.arg(process));
    return file.open(QIODevice::ReadOnly) && file.readAll().split('\0').contains(mark);
}

void killMarked(const QString& folder)
{
    const QByteArray mark = QByteArray(WorkFolder::kVariable) + '=' + folder.toUtf8();
    for (int round = 0; round < kRounds; ++round) {
        bool found = false;
        for (const QString& process : QDir(u"/proc"_s).entryList({u"[0-9]*"_s}, QDir::Dirs)) {
            if (isMarked(process, mark))
                found = ::kill(process.toInt(), SIGKILL) == 0 || found;
        }
        if (!found)
            return;
    }
}

} // namespace

Result<WorkFolder> WorkFolder::make(const QString& parent)
{
    // Whoever clears away may take a folder between its making and its lock.
    for (int attempt = 0; attempt < 100; ++attempt) {
        QByteArray path = QFile::encodeName(parent) + kName + QByteArray(kRandomSize, 'X');
        if (!::mkdtemp(path.data()))
            return fail(ErrorKind::Internal, u"no working folder for the program"_s,
                        QString::fromLocal8Bit(std::strerror(errno)));
        if (const int lock = lockFolder(path, 0); lock >= 0)
            return WorkFolder(QFile::decodeName(path), lock);
    }
    return fail(ErrorKind::Internal, u"no working folder for the program"_s);
}

WorkFolder::~WorkFolder()
{
    if (m_lock < 0)
        return;
    QDir(m_path).removeRecursively();
    ::close(m_lock);
}

void WorkFolder::killProcesses() const
{
    killMarked(m_path);
}

int WorkFolder::clearAbandoned(const QString& parent)
{
    int cleared = 0;
    for (const QString& name : QDir(parent).entryList({u"redrive-work-*"_s}, QDir::Dirs | QDir::Hidden)) {
        const QString path = parent + u'/' + name;
        const int lock = lockFolder(QFile::encodeName(path), LOCK_NB);
        if (lock < 0)
            continue;
        killMarked(path);
        QDir(path).removeRecursively();
        ::close(lock);
        ++cleared;
    }
    return cleared;
}

} // namespace redrive
