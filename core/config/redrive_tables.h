// The small tables of numbers inside `redrive`. Any thread.
#pragma once

#include "core/config/redrive_section.h"

namespace redrive {

void readBackoff(const ConfigValue& table, BackoffSettings& backoff, Diagnostics& out);
void readSweep(const ConfigValue& table, SweepSettings& sweep, Diagnostics& out);
void readLimits(const ConfigValue& table, LimitSettings& limits, Diagnostics& out);
void readRetention(const ConfigValue& table, RetentionSettings& retention, Diagnostics& out);
void readQueueSettings(const ConfigValue& table, Settings& settings, RedrivePlaces& places, Diagnostics& out);

} // namespace redrive
