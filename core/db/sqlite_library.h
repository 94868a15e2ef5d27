// How this program uses the database library: no locks around what only one thread uses, no count of its
// memory. Debian builds it with both, and without small blocks of memory of a connection's own.
// Any thread. Source: https://www.sqlite.org/c3ref/c_config_covering_index_scan.html
#pragma once

namespace redrive {

// Before the first connection; later calls do nothing. Where the library is in use already it stays as it is,
// which is slower and no error.
void setUpSqlite();

} // namespace redrive
