// A small file beside the database ("<database>-held") that says what the database held, so that a database
// file that was emptied is not taken for a new one. Written through a temporary file; losing it is harmless.
// Any thread, one at a time.
#pragma once

#include "core/db/connection.h"

#include <optional>

namespace redrive {

struct HeldData
{
    qint64 jobs = 0;
    qint64 atMs = 0;        // unix milliseconds
    qint64 checkedAtMs = 0; // when the whole file was last read and found sound; 0: never
};

std::optional<HeldData> readHeldData(const DatabaseTarget& target);
// Counts the jobs and writes the file. The engine calls it at its start, at its end and now and then; a
// folder that cannot be written is no error.
Status noteHeldData(Connection& connection, qint64 nowMs);
// The whole file was read and is sound.
void noteChecked(const DatabaseTarget& target, qint64 nowMs);
// For an operator who decided to begin with a new database.
void forgetHeldData(const DatabaseTarget& target);

} // namespace redrive
