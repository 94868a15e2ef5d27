// What handles the messages of a queue that are no jobs, a batch at a time.
#pragma once

#include "core/queue/settlement.h"
#include "core/store/message_store.h"

namespace redrive {

// Needs the store only: runs on the control thread inside the turn that settles the batch. Handlers in
// processes and behind URLs take the worker's way.
class PlainHandler
{
public:
    virtual ~PlainHandler() = default;
    virtual HandlerEnd handle(Cycle& cycle, const QString& queue, const QList<WaitingMessage>& messages,
                              Settlement& settlement) = 0;
};

} // namespace redrive
