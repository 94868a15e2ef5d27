// How much the database works for a call: steps of SQLite's machine, which unlike times are the same on every
// machine. Counts on all open connections of the thread.
#pragma once

#include <QtGlobal>

#include <functional>

namespace redrive::test {

// Rounded to 20. What reads thousands of rows takes thousands.
qint64 sqlStepsOf(const std::function<void()>& call);

} // namespace redrive::test
