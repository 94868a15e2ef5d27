#include "core/db/store_copy.h"

#include <QDateTime>
#include <QFile>

#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace redrive {

QString nameBeside(const DatabaseTarget& target, const QString& word, qint64 nowMs)
{
    const QString time = QDateTime::fromMSecsSinceEpoch(nowMs, Qt::UTC).toString(u"yyyyMMdd-hhmmsszzz"_s);
    return u"%1.%2-%3"_s.arg(target.path, word, time);
}

Status writeCopy(Connection& connection, const QString& path)
{
    auto copy = connection.dynamicQuery(u"VACUUM INTO ?"_s);
    if (auto done = copy.bind(path).run(); !done) {
        QFile::remove(path);
        return fail(std::move(done.error()));
    }
    return syncFile(path);
}

bool copyWithLog(const QString& from, const QString& to)
{
    const QString log = from + u"-wal"_s;
    const bool hasLog = QFile::exists(log);
    if (!QFile::copy(from, to) || (hasLog && !QFile::copy(log, to + u"-wal"_s)))
        return false;
    QFile::setPermissions(to, QFile::ReadOwner | QFile::WriteOwner);
    if (hasLog)
        QFile::setPermissions(to + u"-wal"_s, QFile::ReadOwner | QFile::WriteOwner);
    return true;
}

Status syncFile(const QString& path)
{
    QFile file(path);
    if (file.open(QIODevice::ReadOnly) && ::fsync(file.handle()) == 0)
        return {};
    return fail(ErrorKind::ConnectionLost, u"'%1' could not be written to the disk"_s.arg(path),
                QString::fromLocal8Bit(std::strerror(errno)));
}

} // namespace redrive
