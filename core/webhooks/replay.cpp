#include "core/webhooks/replay.h"

#include "core/domain/reason.h"
#include "core/store/delivery_replay_store.h"

namespace redrive {

namespace {

QString refusalOf(const std::optional<ReplayCandidate>& delivery)
{
    if (!delivery)
        return u"there is no such delivery"_s;
    if (delivery->status == DeliveryStatus::Sending)
        return u"it is being sent right now"_s;
    if (delivery->replayWished)
        return u"a replay of it is already waiting to be sent"_s;
    if (delivery->status == DeliveryStatus::Pending)
        return u"it is already waiting to be sent"_s;
    if (delivery->discarded)
        return u"it was discarded; restore it first"_s;
    if (delivery->status == DeliveryStatus::Held && delivery->reason == reason::kEndpointPaused)
        return u"its endpoint is paused; it goes out when the endpoint is resumed"_s;
    if (!delivery->hasEvent)
        return u"its event is not kept any more, so there is nothing to send"_s;
    return {};
}

} // namespace

Result<QString> replayDelivery(Cycle& cycle, const QString& deliveryId)
{
    REDRIVE_ASSIGN(delivery, delivery_replay_store::find(cycle.db, deliveryId));
    QString refusal = refusalOf(delivery);
    if (!refusal.isEmpty())
        return refusal;
    const bool afresh = delivery->status == DeliveryStatus::Dead ||
                        delivery->status == DeliveryStatus::Cancelled ||
                        delivery->reason == reason::kHeldByPayload;
    REDRIVE_TRY(afresh ? delivery_replay_store::queueAfresh(cycle, *delivery)
                       : delivery_replay_store::queue(cycle, *delivery));
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
