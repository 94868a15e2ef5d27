// What an engine that is gone was sending. Control thread, inside a turn.
#pragma once

#include "core/store/cycle.h"

namespace redrive {

// Its attempts become interrupted: whether the requests arrived is unknown, no budget is spent, and the
// deliveries are due at once, replays as replays. A slice at a time; true when nothing is left.
Result<bool> recoverInterrupted(Cycle& cycle, qint64 endedInstanceNo);

} // namespace redrive
