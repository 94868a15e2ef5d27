// Values of rows that a user's own program may have written. Pure, but for the query.
#pragma once

#include "core/db/query.h"

namespace redrive {

inline constexpr int kMaxErrorCharacters = 300; // of an error in a list

// Unix milliseconds from our column, or from the user's column beside it: seconds, or a date and time in
// text. 0: neither.
qint64 rowTimeMs(const Query& row, int msColumn, int userColumn);

} // namespace redrive
