// Copies of a database beside it. Block on the disk.
#pragma once

#include "core/db/connection.h"

namespace redrive {

// "<database>.<word>-<time>", in UTC.
QString nameBeside(const DatabaseTarget& target, const QString& word, qint64 nowMs);

// Writes what the connection sees, its log's part too, as a new database to `path`, durably. After an error
// nothing of it is left there.
Status writeCopy(Connection& connection, const QString& path);

// Copies the two files as they are, readable and writable by this user alone. False: not both could be
// copied. No connection of this process may be open on them.
bool copyWithLog(const QString& from, const QString& to);

// ConnectionLost where the disk does not take it.
Status syncFile(const QString& path);

} // namespace redrive
