// Which engines live on an embedded database: each holds a lock file named by its owner id beside it
// (DATABASE.engines/OWNER.lock), so that one that is gone is known at once, however it ended. Any thread.
#pragma once

#include "core/base/file_lock.h"

#include <QStringList>

namespace redrive::engine_locks {

QString path(const QString& databasePath, const QString& owner);
bool anyLive(const QString& databasePath);
// Held by a command that acts without an engine: such commands take turns.
QString commandLockPath(const QString& databasePath);

} // namespace redrive::engine_locks
