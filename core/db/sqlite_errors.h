// What the embedded database's result codes mean for a caller. Pure.
// Source: https://www.sqlite.org/rescode.html
#pragma once

#include "core/base/result.h"

class QSqlError;

namespace redrive {

ErrorKind kindOfSqliteCode(int extendedCode);
Error errorFromSqlite(const QSqlError& error, const QString& doing);

} // namespace redrive
