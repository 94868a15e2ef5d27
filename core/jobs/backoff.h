// How long a failed attempt waits for the next one. Pure; any thread.
#pragma once

#include "core/config/settings.h"

#include <optional>

namespace redrive {

// min(cap, base · 2^(attempt-1)), then up to `jitter` of it on top. `attempt` is the number of the attempt
// that failed, from 1. `random` is 0–1. `baseMs`, where given, replaces the settings' base (a queue's retry
// delay).
qint64 backoffMs(const BackoffSettings& settings, int attempt, double random,
                 std::optional<qint64> baseMs = std::nullopt);

} // namespace redrive
