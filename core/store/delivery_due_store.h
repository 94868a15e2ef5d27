// Which endpoints have deliveries that wait for their due time: read in steps that pass over the backlog of
// an endpoint, however long it is. Control thread.
#pragma once

#include "core/db/connection.h"

#include <QStringList>

#include <optional>

namespace redrive {

struct EndpointDue
{
    QString endpointId;
    qint64 earliestMs = 0; // unix ms of its first delivery
};

namespace delivery_due_store {

// The first endpoint after `endpointId` in the order of ids that has a waiting delivery.
Result<std::optional<EndpointDue>> nextEndpoint(Connection& db, const QString& endpointId);

// Endpoints of the deliveries that fell due after `afterMs`, until `untilMs`; at most `limit` deliveries are
// looked at.
Result<QStringList> endpointsDue(Connection& db, qint64 afterMs, qint64 untilMs, int limit);

// The first due time after `afterMs`.
Result<std::optional<qint64>> nextDueAfter(Connection& db, qint64 afterMs);

} // namespace delivery_due_store
} // namespace redrive
