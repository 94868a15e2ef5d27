#include "core/jobs/backoff.h"

#include <algorithm>

namespace redrive {

qint64 backoffMs(const BackoffSettings& settings, int attempt, double random, std::optional<qint64> baseMs)
{
    const qint64 base = std::max<qint64>(0, baseMs.value_or(settings.baseMs));
    const int exponent = std::clamp(attempt - 1, 0, 62);
    const bool overCap = base > (settings.capMs >> exponent);
    const qint64 delay = overCap ? settings.capMs : std::min(settings.capMs, base << exponent);
    return delay + qint64(double(delay) * settings.jitter * std::clamp(random, 0.0, 1.0));
}

} // namespace redrive
