// What the embedded database's result codes mean for a caller. Pure.
// Source: https://www.sqlite.org/rescode.html
#pragma once

#include "core/base/result.h"

class QSqlError;
struct sqlite3;

namespace redrive {

ErrorKind kindOfSqliteCode(int extendedCode);
Error errorFromSqlite(const QSqlError& error, const QString& doing);
Error lastSqliteError(sqlite3* database, const QString& doing); // of what failed on it just now

} // namespace redrive
