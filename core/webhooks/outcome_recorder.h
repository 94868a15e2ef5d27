// Writes what became of an attempt: its row, the delivery's, a letter where it is dead, and what the endpoint
// asked for. Control thread, inside a turn's transaction.
#pragma once

#include "core/webhooks/delivery_plan.h"
#include "core/webhooks/hold_keeper.h"
#include "core/webhooks/network_keeper.h"
#include "core/webhooks/sending.h"

#include <functional>
#include <optional>
#include <vector>

namespace redrive {

// Of one turn.
struct RecordedOutcomes
{
    quint64 delivered = 0;
    quint64 failed = 0;                  // attempts
    quint64 dead = 0;                    // deliveries
    std::optional<qint64> earliestDueMs; // of the retries
    std::vector<qint64> firstDelivered;  // row keys: delivered at once, to be settled together
};

class OutcomeRecorder final
{
public:
    OutcomeRecorder(BackoffSettings backoff, std::function<double()> random, NetworkKeeper& network);

    // `alone`: everything of it is written now, nothing by settleTogether(). Whether it says something of the
    // endpoint: without a network nothing does.
    Result<bool> record(Cycle& cycle, const Sending& sending, const HttpOutcome& outcome, LaneBook& lanes,
                        HoldKeeper& holds, RecordedOutcomes& recorded, bool alone) const;
    // After the last outcome of the turn.
    Status settleTogether(Cycle& cycle, const RecordedOutcomes& recorded) const;

private:
    Status recordDelivered(Cycle& cycle, const Sending& sending, LaneBook& lanes, HoldKeeper& holds) const;
    Result<DeliveryPlan> recordFailed(Cycle& cycle, const Sending& sending, const HttpOutcome& outcome,
                                      LaneBook& lanes, bool offline) const;

    BackoffSettings m_backoff;
    std::function<double()> m_random;
    NetworkKeeper& m_network;
};

} // namespace redrive
