#include "core/jobs/backoff.h"

#include <algorithm>

namespace redrive {

namespace {

constexpr double kMostJitterOfASchedule = 0.1;

qint64 jitterOf(qint64 stepMs, double jitter, double random)
{
    return qint64(double(stepMs) * jitter * std::clamp(random, 0.0, 1.0));
}

} // namespace

RetryWait backoffWait(const BackoffSettings& settings, int attempt, double random,
                      std::optional<qint64> baseMs)
{
    const qint64 base = std::max<qint64>(0, baseMs.value_or(settings.baseMs));
    const int exponent = std::clamp(attempt - 1, 0, 62);
    const bool overCap = base > (settings.capMs >> exponent);
    const qint64 step = overCap ? settings.capMs : std::min(settings.capMs, base << exponent);
    return {step, jitterOf(step, settings.jitter, random)};
}

qint64 backoffMs(const BackoffSettings& settings, int attempt, double random, std::optional<qint64> baseMs)
{
    return backoffWait(settings, attempt, random, baseMs).ms();
}

RetryWait scheduleWait(const QList<qint64>& schedule, int attempt, double jitter, double random)
{
    const qsizetype entry = std::clamp<qsizetype>(attempt, 1, schedule.size()) - 1;
    return {schedule[entry], jitterOf(schedule[entry], std::min(jitter, kMostJitterOfASchedule), random)};
}

} // namespace redrive
