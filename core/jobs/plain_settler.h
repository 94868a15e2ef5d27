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

    // `claimNo`: of a batch that was claimed; one whose claim is another's by now changes nothing. Nothing:
    // it was handled inside the turn. `end`: of the handler; what it retries of its own accord is no failure.
    // `error`: why it failed.
    Status settle(Cycle& cycle, const ConsumerSettings& queue, const QList<WaitingMessage>& messages,
                  const std::vector<Decision>& decisions, HandlerEnd end, std::optional<qint64> claimNo = {},
                  const QString& error = {});

private:
    struct Ended
    {
        const ConsumerSettings& queue;
        const WaitingMessage& message;
        HandlerEnd end;
        std::optional<qint64> claimNo;
        const QString& error;
    };

    Status retryOrBury(Cycle& cycle, const Ended& ended, const Decision& decision);

    Counters& m_counters;
};

} // namespace redrive
