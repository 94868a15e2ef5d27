// Counts and rates for the overview, the navigator and /metrics. Plain values; any thread.
#pragma once

#include <QList>
#include <QString>

#include <optional>

namespace redrive {

struct QueueStats
{
    QString name;
    bool declared = false; // named by the configuration
    bool hasConsumer = false;
    bool paused = false;
    QString pausedBy;
    qint64 pausedAtMs = 0;
    qint64 waiting = 0; // visible, not leased
    qint64 delayed = 0;
    qint64 inFlight = 0;
    qint64 backlogBytes = 0;
    std::optional<qint64> oldestWaitingMs; // when the oldest waiting one was sent; nothing on an empty queue
    qint64 deadLetters = 0;                // open letters that came from it
    bool noHandler = false;                // messages wait because nothing handles them
};

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
    QList<QueueStats> queues;
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
