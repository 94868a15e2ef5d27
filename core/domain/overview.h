// Counts and rates for the overview, the navigator and /metrics. Plain values; any thread.
#pragma once

#include "core/domain/open_breaker.h"
#include "core/domain/telemetry.h"

#include <QList>
#include <QString>

#include <optional>

namespace redrive {

// How a queue is consumed, as the configuration in effect says.
struct QueueConsumption
{
    bool declared = false;
    bool pulled = false; // http_pull: kept and shown, nothing delivers from it
    int maxBatchSize = 0;
    qint64 maxBatchTimeoutMs = 0;
    int maxRetries = 0;
    std::optional<qint64> retryDelayMs;
    std::optional<int> maxConcurrency; // nothing: automatic
    QString deadLetterQueue;           // empty: used-up messages are dropped
};

struct QueueStats
{
    QString name;
    bool declared = false; // named by the configuration
    bool hasConsumer = false;
    QueueConsumption consumption;
    bool paused = false;
    QString pausedBy;
    qint64 pausedAtMs = 0;
    qint64 waiting = 0; // visible, not leased
    qint64 delayed = 0;
    qint64 inFlight = 0;
    qint64 backlogBytes = 0;               // of all of them
    std::optional<qint64> oldestWaitingMs; // when the oldest waiting one was sent; nothing on an empty queue
    qint64 deadLetters = 0;                // open letters that came from it
    bool noHandler = false;                // messages wait because nothing handles them
    qint64 retentionMs = 0;                // how long a message is kept
    qint64 deliveryDelayMs = 0;            // of messages that say none

    // Of the engine that was asked, since its start; 0 where none runs.
    quint64 done = 0;
    quint64 failed = 0;
    quint64 expired = 0;
    double donePerSecond = 0;
    double failedPerSecond = 0;
    int batches = 0;    // open now
    int batchLimit = 0; // 0: this engine consumes nothing from it

    qint64 backlog() const { return waiting + delayed + inFlight; }
};

// What system_telemetry holds.
struct TelemetryKept
{
    TelemetrySize size;
    std::optional<qint64> oldestMs; // when the oldest row was made; nothing: there is none
    TelemetryPruning pruning;
};

inline constexpr int kBreakersNamed = 100;

struct StoreCounts
{
    qint64 jobs = 0; // every row
    qint64 pending = 0;
    qint64 processing = 0;
    qint64 timers = 0; // jobs and deliveries that wait for a due time
    qint64 timersDueInHour = 0;
    qint64 deadLetters = 0;
    qint64 deadToday = 0; // since 00:00 UTC
    qint64 bin = 0;
    qint64 deliveries = 0;
    qint64 deliveriesOpen = 0;
    qint64 openBreakers = 0;
    QList<OpenBreaker> breakers; // those that opened last, at most kBreakersNamed
    QList<QueueStats> queues;
    TelemetryKept telemetry;
};

// Totals since the engine's start, and rates over the last ten seconds.
struct EngineRates
{
    quint64 accepted = 0;
    quint64 done = 0;
    quint64 failed = 0;
    quint64 dead = 0;
    quint64 deliveredOk = 0;
    quint64 deliveredFailed = 0;
    quint64 dropped = 0; // used up without a dead-letter queue
    double donePerSecond = 0;
    double acceptedPerSecond = 0;
};

} // namespace redrive
