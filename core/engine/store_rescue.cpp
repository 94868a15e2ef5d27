#include "core/engine/store_rescue.h"

#include "core/base/log.h"
#include "core/db/checkpoint.h"
#include "core/db/held_data.h"
#include "core/db/migrator.h"
#include "core/db/quick_check.h"
#include "core/db/store_check.h"
#include "core/db/store_copy.h"
#include "core/db/store_files.h"
#include "core/db/transaction.h"
#include "core/store/backlog_store.h"
#include "core/store/engine_locks.h"

#include <QFile>
#include <QFileInfo>

namespace redrive::store_rescue {

namespace {

// Held as long as the files are worked on.
Result<FileLock> lockFor(const DatabaseTarget& target)
{
    const QString name = QFileInfo(target.path).fileName();
    if (engine_locks::anyLive(target.path))
        return fail(ErrorKind::Refused, u"an engine is running on '%1': stop it first"_s.arg(name));
    auto lock = FileLock::tryLock(engine_locks::commandLockPath(target.path));
    if (!lock && lock.error().kind == ErrorKind::Busy)
        return fail(ErrorKind::Busy, u"another command is at work on '%1'"_s.arg(name));
    return lock;
}

Result<QString> noted(const char* event, const DatabaseTarget& target, Result<QString> keptAs)
{
    if (keptAs)
        logEvent(LogLevel::Notice, event, {{"database", target.path}, {"kept_as", *keptAs}});
    return keptAs;
}

Status makeUsable(const QString& path, qint64 nowMs)
{
    const DatabaseTarget target{path};
    REDRIVE_ASSIGN(store, openStore(target, Access::Writer, nowMs));
    {
        REDRIVE_ASSIGN(transaction, Transaction::begin(*store));
        REDRIVE_TRY(backlog_store::recount(*store));
        REDRIVE_TRY(transaction.commit());
    }
    REDRIVE_TRY(quickCheck(*store));
    REDRIVE_TRY(checkpoint(*store, true));
    forgetHeldData(target);
    QFile::remove(path + u"-checkpoint"_s); // its lock
    return {};
}

} // namespace

Result<QString> useBackup(const DatabaseTarget& target, const QString& file, qint64 nowMs)
{
    REDRIVE_ASSIGN(lock, lockFor(target));
    const QString copy = nameBeside(target, u"incoming"_s, nowMs);
    REDRIVE_TRY(copySoundStore(file, copy));
    return noted("backup_put_in_place", target, putInPlace(target, copy, nowMs));
}

Result<QString> beginAnew(const DatabaseTarget& target, qint64 nowMs)
{
    REDRIVE_ASSIGN(lock, lockFor(target));
    return noted("database_moved_aside", target, moveAside(target, nowMs));
}

Result<RecoveredStore> recover(const DatabaseTarget& target, qint64 nowMs, const RecoveryProgress& progress)
{
    REDRIVE_ASSIGN(lock, lockFor(target));
    if (!QFileInfo::exists(target.path))
        return fail(ErrorKind::NotFound, u"there is no database at %1"_s.arg(target.path));
    REDRIVE_ASSIGN(recovered, recoverStore(target, nowMs, progress));
    REDRIVE_TRY(makeUsable(recovered.path, nowMs));
    logEvent(LogLevel::Notice, "database_recovered", {{"database", target.path}, {"into", recovered.path}});
    return recovered;
}

Result<QString> useRecovered(const DatabaseTarget& target, const QString& file, qint64 nowMs)
{
    REDRIVE_ASSIGN(lock, lockFor(target));
    return noted("recovered_put_in_place", target, putInPlace(target, file, nowMs));
}

} // namespace redrive::store_rescue
