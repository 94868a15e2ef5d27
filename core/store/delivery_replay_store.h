// An operator's wish to send a delivery again, kept in the delivery's row, so that it outlives a crash and
// reaches a running engine from another process. Inside a turn's transaction.
#pragma once

#include "core/domain/delivery.h"
#include "core/domain/send_class.h"
#include "core/store/cycle.h"

namespace redrive {

struct ReplayCandidate
{
    qint64 rowKey = 0;
    QString id;
    DeliveryStatus status = DeliveryStatus::Pending;
    QString reason;
    int attempts = 0;
    std::optional<qint64> dueAtMs;
    std::optional<qint64> heldDueAtMs; // of a held one
    bool replayWished = false;         // one waits or is under way
    bool discarded = false;
    bool hasEvent = false; // the event is still kept
};

namespace delivery_replay_store {

Result<bool> isDelivered(Connection& db, const QString& deliveryId);
Result<std::optional<ReplayCandidate>> find(Connection& db, const QString& deliveryId);

// Due now, as a replay; if it fails the delivery goes back to the status and due time it has.
Status queue(Cycle& cycle, const ReplayCandidate& delivery, SendClass sendClass);
// Due now, as a replay, with a fresh budget; its open letter is requeued.
Status queueAfresh(Cycle& cycle, const ReplayCandidate& delivery, SendClass sendClass);

// The failed and dead deliveries of a job's event, oldest first, without discarded ones.
Result<QStringList> failedOfJob(Connection& db, const QString& jobId);

} // namespace delivery_replay_store
} // namespace redrive
