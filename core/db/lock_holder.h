// Which process holds the write lock on a database, as far as the system tells. Any thread; opens nothing but
// /proc.
// Source: proc(5) /proc/locks; https://www.sqlite.org/walformat.html#wal_locks
#pragma once

#include "core/db/target.h"

#include <optional>

namespace redrive {

// "process 1234 (sqlite3)"; nothing where it is not known. Never this process itself.
std::optional<QString> writeLockHolder(const DatabaseTarget& target);

} // namespace redrive
