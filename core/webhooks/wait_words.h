// Why a delivery's next attempt is when it is, in words: stored with the attempt and shown as they are. Pure;
// any thread.
#pragma once

#include "core/jobs/backoff.h"

#include <QString>

namespace redrive {

// "30 m step + 71 s jitter after failure 3 of 10"
QString retryWords(const RetryWait& wait, int failure, int budget);
// "asked to wait 120 s": by Retry-After.
QString askedToWaitWords(qint64 ms);
// "breaker open until 14:05:10 UTC"
QString breakerOpenWords(qint64 untilMs);

} // namespace redrive
