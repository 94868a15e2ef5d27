#include "core/db/sqlite_library.h"

#include <sqlite3.h>

namespace redrive {

void setUpSqlite()
{
    static const bool once = [] {
        sqlite3_config(SQLITE_CONFIG_MULTITHREAD);
        sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
        return true;
    }();
    (void)once;
}

} // namespace redrive
