// What an operator can do about a store that cannot be opened. Nothing is deleted: the present files stay
// beside the database under another name. Refused while an engine runs on it. Any thread, while no connection
// of this process is open on the database; each call takes as long as reading or writing the whole file does.
#pragma once

#include "core/base/result.h"
#include "core/db/store_recovery.h"
#include "core/db/target.h"

namespace redrive::store_rescue {

// Who asked for it and why: for the log, and the audit of the database that is then in place.
struct AskedBy
{
    QString actor;
    QString source; // console or command line
    QString reason;
};

// Checks `file` and puts a copy of it into the database's place. Returns the name that the present file has
// now; it exists only if there was one.
Result<QString> useBackup(const DatabaseTarget& target, const QString& file, qint64 nowMs, const AskedBy& by);

// Moves the present file aside, so that the next start makes a new database. Returns its name.
Result<QString> beginAnew(const DatabaseTarget& target, qint64 nowMs, const AskedBy& by);

// Saves what can be read into a new file, migrated, checked and ready to be used.
Result<RecoveredStore> recover(const DatabaseTarget& target, qint64 nowMs, const RecoveryProgress& progress,
                               const AskedBy& by);

// Puts such a file into the database's place. Returns the name that the present file has now.
Result<QString> useRecovered(const DatabaseTarget& target, const QString& file, qint64 nowMs,
                             const AskedBy& by);

} // namespace redrive::store_rescue
