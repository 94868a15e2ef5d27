// What the window says as long as it holds: doors that stand open, certificates that end. Pure but for
// translations; window thread.
#pragma once

#include "ui/bridge/engine_bridge.h"

namespace redrive {

// Whole sentences; empty when there is nothing to say.
QStringList standingNotices(const EngineHealth& health, qint64 nowMs);

} // namespace redrive
