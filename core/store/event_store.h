// Events that are fanned out: one per job, with the exact body that every endpoint gets. Inside a turn's
// transaction.
#pragma once

#include "core/store/cycle.h"

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
// Nothing when the event is not kept any more.
Result<std::optional<QByteArray>> body(Connection& db, const QString& id);

} // namespace event_store
} // namespace redrive
