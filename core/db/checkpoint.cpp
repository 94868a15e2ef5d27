#include "core/db/checkpoint.h"

#include "core/base/file_lock.h"

#include <QFileInfo>

namespace redrive {

qint64 walBytes(const DatabaseTarget& target)
{
    const QFileInfo wal(target.path + u"-wal"_s);
    return wal.exists() ? wal.size() : 0;
}

Status checkpoint(Connection& writer, CheckpointMode mode)
{
    const auto statement = mode == CheckpointMode::Passive   ? "PRAGMA wal_checkpoint(PASSIVE)"
                           : mode == CheckpointMode::Restart ? "PRAGMA wal_checkpoint(RESTART)"
                                                             : "PRAGMA wal_checkpoint(TRUNCATE)";
    REDRIVE_ASSIGN(lock, FileLock::tryLock(writer.target().path + u"-checkpoint"_s));
    auto query = writer.query(statement);
    (void)query.next();
    return query.status();
}

Result<qint64> foreignCommitMark(Connection& connection)
{
    auto query = connection.query("PRAGMA data_version");
    const bool found = query.next();
    REDRIVE_TRY(query.status());
    return found ? query.int64(0) : 0;
}

} // namespace redrive
