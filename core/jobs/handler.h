// What runs a job. Handlers are registered by job type (handler_registry.h).
#pragma once

#include "core/store/cycle.h"

#include <QByteArray>
#include <QString>

#include <atomic>
#include <optional>

namespace redrive {

// A job whose message is leased and whose attempt has begun.
struct ClaimedJob
{
    qint64 seq = 0;     // of the message
    qint64 claimNo = 0; // of this engine; settling compares it
    QString id;
    QString type;
    QString queue;
    QByteArray payload; // exact bytes
    int run = 1;
    int attempt = 1; // deliveries of this run, this one included
    int crashes = 0;
    int maxRetries = 3;
    qint64 createdAtMs = 0;
    qint64 claimedAtMs = 0;
    bool mayBeRedriven = false; // an operator may await its outcome
};

enum class HandlerResult {
    Done,
    Transient, // try again after the backoff
    Permanent, // dead at once
    TimedOut,  // transient, shown apart
    Cancelled, // stopped on request or with the engine: the attempt is not counted
};

struct HandlerOutcome
{
    HandlerResult result = HandlerResult::Done;
    QString error;
    QString reason;                     // reason code of a permanent failure
    QByteArray content;                 // becomes the job's result; at most 64 KiB
    std::optional<qint64> retryDelayMs; // asked for by the handler, instead of the schedule
    std::optional<qint64> leastDelayMs; // asked for by another: the later of it and the schedule counts
};

// Set from any thread; a blocking handler looks at it at least every 100 ms.
struct StopSignal
{
    std::atomic<bool> requested = false;
};

inline constexpr qint64 kDefaultTimeLimitMs = 30'000;

// Blocks a worker thread. run() may be called from several workers at once. It keeps its time limit itself;
// one that does not is asked to stop a second later and loses its thread in the end, so it may outlive
// whoever made it.
class BlockingHandler
{
public:
    virtual ~BlockingHandler() = default;
    virtual HandlerOutcome run(const ClaimedJob& job, const StopSignal& stop) = 0;
    virtual qint64 timeLimitMs() const { return kDefaultTimeLimitMs; } // 0: none
    virtual int concurrencyLimit() const { return 0; }                 // 0: the workers
};

// Needs the store only: runs on the control thread inside the transaction that settles the job.
class StoreHandler
{
public:
    virtual ~StoreHandler() = default;
    virtual Result<HandlerOutcome> run(const ClaimedJob& job, Cycle& cycle) = 0;
};

} // namespace redrive
