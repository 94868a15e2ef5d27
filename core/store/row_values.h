// Values of rows that a user's own program may have written. Pure, but for the query.
#pragma once

#include "core/db/query.h"

namespace redrive {

// A count that a row may say anything about: a negative one is 0, and one more can always be counted.
inline constexpr qint64 kMostCounted = 1'000'000'000;
int countOf(const Query& row, int column);

inline constexpr int kMaxErrorCharacters = 300; // of an error in a list

// Unix milliseconds from our column, or from the user's column beside it: seconds, or a date and time in
// text. 0: neither.
qint64 rowTimeMs(const Query& row, int msColumn, int userColumn);

} // namespace redrive
