// How long a failed attempt waits for the next one. Pure; any thread.
#pragma once

#include "core/config/settings.h"

#include <optional>

namespace redrive {

// In ms. `step` is what the schedule says, `jitter` a random part on top of it, never below it.
struct RetryWait
{
    qint64 stepMs = 0;
    qint64 jitterMs = 0;

    qint64 ms() const { return stepMs + jitterMs; }
};

// min(cap, base · 2^(attempt-1)), then up to `jitter` of it on top. `attempt` is the number of the attempt
// that failed, from 1. `random` is 0–1. `baseMs`, where given, replaces the settings' base (a queue's retry
// delay).
RetryWait backoffWait(const BackoffSettings& settings, int attempt, double random,
                      std::optional<qint64> baseMs = std::nullopt);
qint64 backoffMs(const BackoffSettings& settings, int attempt, double random,
                 std::optional<qint64> baseMs = std::nullopt);

// The step of a list: the entry for the attempt that failed, from 1, or its last one; then up to `jitter` of
// it on top, a tenth at most. `schedule` is not empty.
RetryWait scheduleWait(const QList<qint64>& schedule, int attempt, double jitter, double random);

} // namespace redrive
