// Reads a whole database and says what is damaged in it. Takes about a second for each 500 MB that are not in
// memory.
#pragma once

#include "core/db/connection.h"

namespace redrive {

// Corrupt, with the database's words, at the first damage; Cancelled when it was interrupted. The
// connection's thread.
Status quickCheck(Connection& connection);

} // namespace redrive
