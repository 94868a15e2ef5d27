// Makes alerts of what has happened: dead letters that nobody has looked at, and notes. One alert for each
// group of failures at once; what comes within its window becomes one more when that ends. Control thread,
// inside a turn's transaction.
#pragma once

#include "core/store/cycle.h"

namespace redrive::alert_grouping {

inline constexpr int kMostLetters = 500; // of one turn
inline constexpr int kMostAlerts = 30;   // of one window; further groups share one

// True when there is more than one turn takes.
Result<bool> work(Cycle& cycle, qint64 windowMs);

} // namespace redrive::alert_grouping
