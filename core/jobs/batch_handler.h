// What handles the messages of a queue that are no jobs on a worker thread, a whole batch at a time.
#pragma once

#include "core/jobs/handler.h"
#include "core/queue/settlement.h"
#include "core/store/message_store.h"

namespace redrive {

struct MessageBatch
{
    QString queue;
    QList<WaitingMessage> messages; // in send order
};

struct BatchOutcome
{
    HandlerResult result = HandlerResult::Done; // Done: it returned; Cancelled: not counted; else it threw
    QString error;
    std::vector<Decision> decisions; // of one that returned, one a message
};

// As BlockingHandler, for batches.
class BatchHandler
{
public:
    virtual ~BatchHandler() = default;
    virtual BatchOutcome run(const MessageBatch& batch, const StopSignal& stop) = 0;
    virtual qint64 timeLimitMs() const { return kDefaultTimeLimitMs; } // 0: none
    virtual int concurrencyLimit() const { return 0; }                 // batches; 0: the queue's
};

} // namespace redrive
