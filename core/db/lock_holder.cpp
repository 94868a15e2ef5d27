#include "core/db/lock_holder.h"

#include <QFile>
#include <QList>

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace redrive {

namespace {

constexpr qint64 kWriteLockByte = 120; // of the -shm file
constexpr int kFields = 8;             // "1: POSIX ADVISORY WRITE 1234 fe:00:5678 120 120"

// As /proc/locks names a file; empty: there is none.
QByteArray nameInLocks(const QString& path)
{
    struct stat found = {};
    if (::stat(QFile::encodeName(path).constData(), &found) != 0)
        return {};
    const auto hex = [](unsigned value) { return QByteArray::number(value, 16).rightJustified(2, '0'); };
    return hex(major(found.st_dev)) + ':' + hex(minor(found.st_dev)) + ':' +
           QByteArray::number(quint64(found.st_ino));
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString nameOf(qint64 process)
{
    const QByteArray name = contentOf(QStringLiteral("/proc/%1/comm").arg(process)).trimmed();
    return QStringLiteral("process %1").arg(process) +
           (name.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(QString::fromLocal8Bit(name)));
}

} // namespace

std::optional<QString> writeLockHolder(const DatabaseTarget& target)
{
    const QByteArray database = nameInLocks(target.path);
    const QByteArray memory = nameInLocks(target.path + QStringLiteral("-shm"));
    const QList<QByteArray> lines = contentOf(QStringLiteral("/proc/locks")).split('\n');
    for (const QByteArray& line : lines) {
        const QList<QByteArray> fields = line.simplified().split(' ');
        if (fields.size() < kFields || fields[3] != "WRITE")
            continue; // one that only waits has a field more, "->"
        const bool holdsWriting = !memory.isEmpty() && fields[5] == memory &&
                                  fields[6].toLongLong() <= kWriteLockByte &&
                                  (fields[7] == "EOF" || fields[7].toLongLong() >= kWriteLockByte);
        const bool holdsAll = !database.isEmpty() && fields[5] == database;
        const qint64 process = fields[4].toLongLong();
        if ((holdsWriting || holdsAll) && process > 0 && process != ::getpid())
            return nameOf(process);
    }
    return std::nullopt;
}

} // namespace redrive
