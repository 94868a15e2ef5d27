// A database on a file system that cannot be written, as a reader may open it: the files beside it that a
// reader needs cannot be made there. One without a log is read as a file that never changes; one with a log
// is read from a copy in the temporary folder, because the log holds what was committed last. Source:
// https://www.sqlite.org/wal.html#read_only_databases
#pragma once

#include "core/base/result.h"
#include "core/db/target.h"

#include <QTemporaryDir>

#include <memory>

namespace redrive {

class ReadOnlyStore final
{
public:
    // Whether that is why the file could not be opened.
    static bool isNeeded(const DatabaseTarget& target, const Error& error);
    // No connection of this process may be open on the file: copying it by hand gives up their locks.
    static Result<std::unique_ptr<ReadOnlyStore>> make(const DatabaseTarget& target);

    // What the driver opens, as a URI.
    const QString& address() const { return m_address; }

private:
    ReadOnlyStore() = default;

    std::unique_ptr<QTemporaryDir> m_copy; // gone with the object
    QString m_address;
};

} // namespace redrive
