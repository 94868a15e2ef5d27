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
#include "core/engine/audit_note.h"
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

void logDone(const char* event, const DatabaseTarget& target, const LogField& into, const AskedBy& by)
{
    logEvent(
        LogLevel::Notice, event,
        {{"database", target.path}, into, {"actor", by.actor}, {"source", by.source}, {"reason", by.reason}});
}

// The files are in place by now: an audit that cannot be written undoes nothing.
void audit(const DatabaseTarget& target, const QString& verb, const QString& keptAs, qint64 nowMs,
           const AskedBy& by)
{
    const QString result = u"what was there is now "_s + keptAs;
    const AuditEntry entry{by.actor, by.source, verb, target.path, 1, 0, by.reason, result};
    if (const Status noted = noteInAudit(target, entry, nowMs); !noted)
        logEvent(LogLevel::Warning, "audit_not_written",
                 {{"database", target.path}, {"error", noted.error().text()}});
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
    REDRIVE_TRY(checkpoint(*store, CheckpointMode::Truncate));
    forgetHeldData(target);
    QFile::remove(path + u"-checkpoint"_s); // its lock
    return {};
}

} // namespace

Result<QString> useBackup(const DatabaseTarget& target, const QString& file, qint64 nowMs, const AskedBy& by)
{
    REDRIVE_ASSIGN(lock, lockFor(target));
    const QString copy = nameBeside(target, u"incoming"_s, nowMs);
    REDRIVE_TRY(copySoundStore(file, copy));
    REDRIVE_ASSIGN(keptAs, putInPlace(target, copy, nowMs));
    logDone("backup_put_in_place", target, {"kept_as", keptAs}, by);
    audit(target, u"use-backup"_s, keptAs, nowMs, by);
    return keptAs;
}

Result<QString> beginAnew(const DatabaseTarget& target, qint64 nowMs, const AskedBy& by)
{
    REDRIVE_ASSIGN(lock, lockFor(target));
    REDRIVE_ASSIGN(keptAs, moveAside(target, nowMs));
    logDone("database_moved_aside", target, {"kept_as", keptAs}, by);
    return keptAs;
}

Result<RecoveredStore> recover(const DatabaseTarget& target, qint64 nowMs, const RecoveryProgress& progress,
                               const AskedBy& by)
{
    REDRIVE_ASSIGN(lock, lockFor(target));
    if (!QFileInfo::exists(target.path))
        return fail(ErrorKind::NotFound, u"there is no database at %1"_s.arg(target.path));
    REDRIVE_ASSIGN(recovered, recoverStore(target, nowMs, progress));
    REDRIVE_TRY(makeUsable(recovered.path, nowMs));
    logDone("database_recovered", target, {"into", recovered.path}, by);
    return recovered;
}

Result<QString> useRecovered(const DatabaseTarget& target, const QString& file, qint64 nowMs,
                             const AskedBy& by)
{
    REDRIVE_ASSIGN(lock, lockFor(target));
    REDRIVE_ASSIGN(keptAs, putInPlace(target, file, nowMs));
    logDone("recovered_put_in_place", target, {"kept_as", keptAs}, by);
    audit(target, u"recover"_s, keptAs, nowMs, by);
    return keptAs;
}

} // namespace redrive::store_rescue
