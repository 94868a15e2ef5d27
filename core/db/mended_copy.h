// A copy of a database whose first 100 bytes are not believed any more: with a header made anew, so that its
// pages can be read. Source of the layout: https://www.sqlite.org/fileformat.html#the_database_header
#pragma once

#include "core/base/result.h"
#include "core/db/target.h"

namespace redrive {

// Copies the database and its log to `path`; the original stays as it is. No connection of this process may
// be open on it. Any thread, blocks on the disk.
Status makeMendedCopy(const DatabaseTarget& damaged, const QString& path);

} // namespace redrive
