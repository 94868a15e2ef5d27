#include "core/store/engine_locks.h"

#include <QDir>
#include <QFile>

namespace redrive::engine_locks {

namespace {

constexpr QLatin1String kSuffix(".lock");

QString folder(const QString& databasePath)
{
    return databasePath + u".engines"_s;
}

QStringList owners(const QString& databasePath)
{
    QStringList found = QDir(folder(databasePath)).entryList({u"*"_s + kSuffix}, QDir::Files);
    for (QString& name : found)
        name.chop(kSuffix.size());
    return found;
}

} // namespace

QString path(const QString& databasePath, const QString& owner)
{
    return folder(databasePath) + u'/' + owner + kSuffix;
}

bool anyLive(const QString& databasePath)
{
    for (const QString& owner : owners(databasePath))
        if (FileLock::isHeld(path(databasePath, owner)))
            return true;
    return false;
}

QString commandLockPath(const QString& databasePath)
{
    return folder(databasePath) + u"/command"_s;
}

} // namespace redrive::engine_locks
