// Events that are fanned out: one per job, with the exact body that every endpoint gets. Inside a turn's
// transaction.
#pragma once

#include "core/store/cycle.h"

#include <QList>

#include <optional>

namespace redrive {

struct WebhookEvent
{
    QString id; // sent as webhook-id: the same on every attempt and replay
    QString jobId;
    int run = 1; // of the job, when the event was made
    QString type;
    QByteArray body; // exact bytes
};

namespace event_store {

Status insert(Cycle& cycle, const WebhookEvent& event);
Result<std::optional<WebhookEvent>> ofJob(Connection& db, const QString& jobId);
Result<std::optional<WebhookEvent>> find(Connection& db, const QString& id);
// Nothing: the event is not kept.
Result<std::optional<QString>> typeOf(Connection& db, const QString& id);
struct EventKind
{
    QString id;
    QString type;
};
// Events since a time (unix ms) that have no delivery to the endpoint, oldest first.
Result<QList<EventKind>> withoutDelivery(Connection& db, const QString& endpointId, qint64 sinceMs);
Result<bool> hasDelivery(Connection& db, const QString& id, const QString& endpointId);
// The delivery of an event to an endpoint; empty: there is none.
Result<QString> deliveryOf(Connection& db, const QString& id, const QString& endpointId);
// The job that made an event, named by its own id or that of one of its deliveries; empty: there is none.
Result<QString> jobOf(Connection& db, const QString& eventOrDeliveryId);
// The queue of the job that made an event; empty: it is not kept.
Result<QString> queueOf(Connection& db, const QString& jobId);
// Nothing when the event is not kept any more.
Result<std::optional<QByteArray>> body(Connection& db, const QString& id);

} // namespace event_store
} // namespace redrive
