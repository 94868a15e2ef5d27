// Totals since the engine's start. Counted after commits; any thread reads.
#pragma once

#include "core/feed/queue_counters.h"
#include "core/feed/telemetry_counters.h"

#include <QtGlobal>

#include <atomic>

namespace redrive {

struct Counters
{
    std::atomic<quint64> accepted = 0;
    std::atomic<quint64> ingested = 0; // events accepted
    std::atomic<quint64> done = 0;
    std::atomic<quint64> failed = 0; // attempts that failed
    std::atomic<quint64> dead = 0;
    std::atomic<quint64> dropped = 0; // used up without a dead-letter queue
    std::atomic<quint64> crashed = 0;
    QueueCounters queues;
    TelemetryCounters telemetry;
};

} // namespace redrive
