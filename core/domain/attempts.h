// How many attempts a run of a job, or a message, may take. Any thread.
#pragma once

#include <QtGlobal>

#include <algorithm>
#include <limits>

namespace redrive {

// What its queue grants (0: unknown, and so is the answer), and one more for each crash: those spend no
// retry.
inline int attemptsGranted(int deliveries, int crashes)
{
    constexpr qint64 kMost = std::numeric_limits<int>::max();
    return deliveries > 0 ? int(std::min(qint64(deliveries) + crashes, kMost)) : 0;
}

} // namespace redrive
