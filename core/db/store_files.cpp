#include "core/db/store_files.h"

#include "core/db/held_data.h"
#include "core/db/migrator.h"
#include "core/db/quick_check.h"
#include "core/db/store_check.h"
#include "core/db/store_copy.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace redrive {

namespace {

const std::array kCompanions{u"-wal"_s, u"-shm"_s};

Error failedFile(const QString& doing)
{
    return {ErrorKind::ConnectionLost, doing, QString::fromLocal8Bit(std::strerror(errno)), {}};
}

Status renameFile(const QString& from, const QString& to)
{
    if (std::rename(QFile::encodeName(from).constData(), QFile::encodeName(to).constData()) == 0)
        return {};
    return fail(failedFile(u"'%1' could not be renamed to '%2'"_s.arg(from, to)));
}

Status syncFolderOf(const QString& path)
{
    const int folder = ::open(QFile::encodeName(QFileInfo(path).absolutePath()).constData(),
                              O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool synced = folder >= 0 && ::fsync(folder) == 0;
    if (folder >= 0)
        ::close(folder);
    return synced ? Status() : fail(failedFile(u"the folder of '%1' could not be synced"_s.arg(path)));
}

Status moveCompanions(const QString& from, const QString& to)
{
    for (const QString& companion : kCompanions)
        if (QFileInfo::exists(from + companion))
            REDRIVE_TRY(renameFile(from + companion, to + companion));
    return {};
}

// So that there is a database under its name at every moment, where the file system has hard links.
Status keepUnder(const QString& path, const QString& aside)
{
    if (!QFileInfo::exists(path) ||
        ::link(QFile::encodeName(path).constData(), QFile::encodeName(aside).constData()) == 0)
        return {};
    return renameFile(path, aside);
}

} // namespace

QList<StoreCopy> backupsOf(const DatabaseTarget& target)
{
    const QFileInfo info(target.path);
    QList<StoreCopy> copies;
    const auto found = info.absoluteDir().entryInfoList(
        {info.fileName().replace(u'[', u"[[]"_s) + u".backup-*"_s}, QDir::Files, QDir::Time);
    for (const QFileInfo& file : found)
        copies.append({file.absoluteFilePath(), file.size(), file.lastModified().toMSecsSinceEpoch()});
    return copies;
}

Status copySoundStore(const QString& file, const QString& path)
{
    const DatabaseTarget source{QFileInfo(file).absoluteFilePath()};
    REDRIVE_ASSIGN(state, checkStore(source, knownSchema()));
    if (state.origin != StoreOrigin::Ours)
        return fail(ErrorKind::Corrupt,
                    u"'%1' is not a database of this program."_s.arg(QFileInfo(file).fileName()));
    auto connection = Connection::open(source, Access::Reader);
    if (!connection)
        return fail(explainStoreError(source, connection.error()));
    if (const Status sound = quickCheck(**connection); !sound)
        return fail(explainStoreError(source, sound.error()));
    REDRIVE_TRY((*connection)->execute(u"PRAGMA query_only=OFF"_s)); // the file is opened to be read only
    auto written = writeCopy(**connection, path);
    if (!written)
        written.error().message = u"'%1' could not be copied"_s.arg(file);
    return written;
}

Result<QString> moveAside(const DatabaseTarget& target, qint64 nowMs)
{
    const QString aside = nameBeside(target, u"aside"_s, nowMs);
    REDRIVE_TRY(moveCompanions(target.path, aside));
    if (QFileInfo::exists(target.path)) {
        if (const Status moved = renameFile(target.path, aside); !moved) {
            (void)moveCompanions(aside, target.path);
            return fail(moved.error());
        }
    }
    forgetHeldData(target);
    REDRIVE_TRY(syncFolderOf(target.path));
    return aside;
}

Result<QString> putInPlace(const DatabaseTarget& target, const QString& file, qint64 nowMs)
{
    const QString aside = nameBeside(target, u"aside"_s, nowMs);
    REDRIVE_TRY(syncFile(file));
    REDRIVE_TRY(moveCompanions(target.path, aside));
    Status placed = keepUnder(target.path, aside);
    if (placed)
        placed = renameFile(file, target.path);
    if (!placed) {
        if (QFileInfo::exists(aside))
            (void)renameFile(aside, target.path);
        (void)moveCompanions(aside, target.path);
        return fail(placed.error());
    }
    forgetHeldData(target);
    REDRIVE_TRY(syncFolderOf(target.path));
    return aside;
}

} // namespace redrive
