// What the consumer hands messages to. Control thread.
#pragma once

#include "core/config/settings.h"
#include "core/store/message_store.h"

namespace redrive {

enum class Begin {
    Settled, // all done inside this turn
    Running, // claimed: finished() of the consumer is called in a later turn
    Wait,    // no capacity now; it stays leased
};

class MessageRunner
{
public:
    virtual ~MessageRunner() = default;

    // Whether any work could begin now.
    virtual bool hasCapacity() const = 0;
    virtual int running() const = 0;
    // Whether the job of this message is done inside the turn.
    virtual bool runsInTurn(const WaitingMessage& message) const = 0;
    // Begins one job's attempt. `claimNo` is new and unique in this engine. What the database refuses a job
    // inside the turn is that job's failure when it is `alone`, else an error.
    virtual Result<Begin> beginJob(Cycle& cycle, const ConsumerSettings& queue, const WaitingMessage& message,
                                   qint64 claimNo, bool alone) = 0;
    // Whether anything handles the messages of this queue that are no jobs.
    virtual bool handlesMessages(const QString& queue) const = 0;
    // Whether it does so inside the turn, else a batch at a time as beginJob() does with a job.
    virtual bool handlesInTurn(const QString& queue) const = 0;
    // Until when nothing is to be taken from this queue, on the steady clock; nothing: it may be now.
    virtual std::optional<qint64> waitsUntil(const QString& queue) const = 0;
    // What it waits with is gone.
    virtual void nothingWaits(Cycle& cycle, const QString& queue) = 0;
    // Begins the attempt of a batch's messages that are no jobs, all under one claim number.
    virtual Result<Begin> beginMessages(Cycle& cycle, const ConsumerSettings& queue,
                                        const QList<WaitingMessage>& messages, qint64 claimNo) = 0;
    // Handles and settles the messages of a batch that are no jobs, inside the turn.
    virtual Status handleMessages(Cycle& cycle, const ConsumerSettings& queue,
                                  const QList<WaitingMessage>& messages) = 0;
};

} // namespace redrive
