// Deliveries for lists and details. The reading connection's thread.
#pragma once

#include "core/db/connection.h"
#include "core/domain/delivery.h"

#include <vector>

namespace redrive::delivery_read_store {

// In the order of the keys; keys whose row is gone are left out.
Result<QList<DeliveryRow>> rows(Connection& db, const std::vector<qint64>& keys);
Result<std::optional<DeliveryRow>> row(Connection& db, const QString& id);
// Of the job's event, by endpoint.
Result<QList<DeliveryRow>> ofJob(Connection& db, const QString& jobId);
// Newest first.
Result<QList<DeliveryAttempt>> attempts(Connection& db, const QString& id);
// As sent to every endpoint; empty when the event is gone.
Result<QByteArray> body(Connection& db, const QString& eventId);

} // namespace redrive::delivery_read_store
