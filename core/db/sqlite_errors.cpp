#include "core/db/sqlite_errors.h"

#include <QSqlError>

#include <sqlite3.h>

namespace redrive {

namespace {
constexpr int kIoErrWrite = 778; // also the answer to a file-size limit
}

ErrorKind kindOfSqliteCode(int extendedCode)
{
    if (extendedCode == kIoErrWrite)
        return ErrorKind::StorageFull;
    switch (extendedCode & 0xff) {
    case 5:  // BUSY
    case 6:  // LOCKED
    case 7:  // NOMEM
    case 15: // PROTOCOL
    case 17: // SCHEMA
        return ErrorKind::Busy;
    case 13: // FULL
        return ErrorKind::StorageFull;
    case 8: // READONLY
        return ErrorKind::ReadOnly;
    case 11: // CORRUPT
    case 26: // NOTADB
        return ErrorKind::Corrupt;
    case 19: // CONSTRAINT
        return ErrorKind::Constraint;
    case 10: // IOERR
    case 14: // CANTOPEN
        return ErrorKind::ConnectionLost;
    case 9: // INTERRUPT
        return ErrorKind::Cancelled;
    case 18: // TOOBIG
    case 20: // MISMATCH
        return ErrorKind::InvalidInput;
    default:
        return ErrorKind::Internal;
    }
}

Error errorFromSqlite(const QSqlError& error, const QString& doing)
{
    bool isNumber = false;
    const int code = error.nativeErrorCode().toInt(&isNumber);
    const QString words = error.databaseText().isEmpty() ? error.driverText() : error.databaseText();
    return Error{isNumber ? kindOfSqliteCode(code) : ErrorKind::Internal, doing, words, {}};
}

Error lastSqliteError(sqlite3* database, const QString& doing)
{
    return Error{kindOfSqliteCode(sqlite3_extended_errcode(database)),
                 doing,
                 QString::fromUtf8(sqlite3_errmsg(database)),
                 {}};
}

} // namespace redrive
