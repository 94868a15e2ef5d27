// Writes what became of messages that are no jobs. Control thread, inside a turn's transaction.
#pragma once

#include "core/config/settings.h"
#include "core/feed/counters.h"
#include "core/queue/settlement.h"
#include "core/store/message_store.h"

namespace redrive {

class PlainSettler final
{
public:
    explicit PlainSettler(Counters& counters) : m_counters(counters) {}

    Status settle(Cycle& cycle, const ConsumerSettings& queue, const QList<WaitingMessage>& messages,
                  const std::vector<Decision>& decisions);

private:
    Status retryOrBury(Cycle& cycle, const ConsumerSettings& queue, const WaitingMessage& message,
                       const Decision& decision);
    Status bury(Cycle& cycle, const ConsumerSettings& queue, const WaitingMessage& message, int attempt);

    Counters& m_counters;
};

} // namespace redrive
