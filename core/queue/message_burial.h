// A message that is no job and is not delivered again: it moves to the dead-letter queue and leaves a letter,
// or goes where there is none. Control thread, inside a turn's transaction.
#pragma once

#include "core/config/settings.h"
#include "core/feed/counters.h"
#include "core/store/message_store.h"

#include <QLatin1String>

namespace redrive {

struct DeadMessage
{
    const ConsumerSettings& queue;
    const WaitingMessage& message;
    std::optional<qint64> claimNo; // nothing: nobody has claimed it
    int attempts = 1;              // deliveries, this one included
    QLatin1String reason;          // reason.h
    const QString& error;
};

// False: another holds it by now, and nothing is changed.
Result<bool> buryMessage(Cycle& cycle, const DeadMessage& dead, Counters& counters);
// Deletes one that is settled. False as above.
Result<bool> removeMessage(Cycle& cycle, qint64 seq, std::optional<qint64> claimNo);
// A redrive may have begun it, and wants to hear of its end.
bool mayBeRedriven(const WaitingMessage& message);

} // namespace redrive
