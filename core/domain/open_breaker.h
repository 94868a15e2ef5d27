// An endpoint's circuit breaker that is open: nothing is sent to it but a probe. Plain values; any thread.
#pragma once

#include <QString>

namespace redrive {

struct OpenBreaker
{
    QString endpointId;
    qint64 openedAtMs = 0;  // unix ms, as the next
    qint64 openUntilMs = 0; // then the next delivery is the probe
    int openings = 1;       // since it was last closed
};

} // namespace redrive
