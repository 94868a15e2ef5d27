// What writes the messages of a queue that are no jobs into the store itself, inside the turn, and settles
// them. Control thread.
#pragma once

#include "core/config/settings.h"
#include "core/store/message_store.h"

namespace redrive {

class TurnWriter
{
public:
    virtual ~TurnWriter() = default;
    // Messages that it leaves unsettled stay as they are. An error fails the turn.
    virtual Status write(Cycle& cycle, const ConsumerSettings& queue,
                         const QList<WaitingMessage>& messages) = 0;
    // It takes nothing before this time on the steady clock; nothing: it takes what comes.
    virtual std::optional<qint64> waitsUntil() const = 0;
    // The queue has nothing that it could wait with any more.
    virtual void nothingWaits(Cycle& cycle) = 0;
};

} // namespace redrive
