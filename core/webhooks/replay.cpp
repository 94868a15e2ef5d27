#include "core/webhooks/replay.h"

#include "core/domain/reason.h"
#include "core/domain/replay_rule.h"
#include "core/store/delivery_replay_store.h"

namespace redrive {

namespace {

QString refusalOf(const std::optional<ReplayCandidate>& delivery)
{
    if (!delivery)
        return u"not found"_s;
    const auto obstacle = replayObstacle(delivery->status, delivery->reason, delivery->discarded);
    if (delivery->replayWished && obstacle != ReplayObstacle::Sending)
        return u"is waiting for a replay already"_s;
    switch (obstacle) {
    case ReplayObstacle::Sending:
        return u"is being sent right now"_s;
    case ReplayObstacle::Waiting:
        return u"is waiting to be sent already"_s;
    case ReplayObstacle::InBin:
        return u"is in the bin"_s;
    case ReplayObstacle::EndpointPaused:
        return u"is held: its endpoint is paused"_s;
    case ReplayObstacle::None:
        break;
    }
    if (!delivery->hasEvent)
        return u"has no event to send any more"_s;
    return {};
}

} // namespace

Result<QString> replayDelivery(Cycle& cycle, const QString& deliveryId, SendClass sendClass)
{
    REDRIVE_ASSIGN(delivery, delivery_replay_store::find(cycle.db, deliveryId));
    QString refusal = refusalOf(delivery);
    if (!refusal.isEmpty())
        return refusal;
    const bool afresh = delivery->status == DeliveryStatus::Dead ||
                        delivery->status == DeliveryStatus::Cancelled ||
                        delivery->reason == reason::kHeldByPayload;
    REDRIVE_TRY(afresh ? delivery_replay_store::queueAfresh(cycle, *delivery, sendClass)
                       : delivery_replay_store::queue(cycle, *delivery, sendClass));
    return QString();
}

Result<QString> replayRefusal(Connection& db, const QString& deliveryId)
{
    REDRIVE_ASSIGN(delivery, delivery_replay_store::find(db, deliveryId));
    return refusalOf(delivery);
}

Result<QStringList> failedDeliveriesOfJob(Connection& db, const QString& jobId)
{
    return delivery_replay_store::failedOfJob(db, jobId);
}

} // namespace redrive
