// The built-in consumer of dead-letter queues: their messages are acknowledged, and the letters, which are
// rows of their own, stay. Control thread.
#pragma once

#include "core/jobs/plain_handler.h"

namespace redrive {

class DeadLetterHandler final : public PlainHandler
{
public:
    HandlerEnd handle(Cycle&, const QString&, const QList<WaitingMessage>&, Settlement& settlement) override
    {
        settlement.ackAll();
        return HandlerEnd::Returned;
    }
};

} // namespace redrive
