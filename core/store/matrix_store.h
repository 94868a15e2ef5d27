// Deliveries by event and endpoint. The reading connection's thread.
#pragma once

#include "core/db/connection.h"
#include "core/domain/matrix.h"

namespace redrive::matrix_store {

struct Delivery
{
    QString endpointId;
    MatrixCell cell;
};

struct Event
{
    MatrixEvent event;
    std::vector<Delivery> deliveries;
};

// The newest events of which a delivery matches the filter, at most `limit` of them, with all their
// deliveries. Looks at a bounded number of deliveries: `more` says that older ones may match.
struct Found
{
    std::vector<Event> events;
    bool more = false;
};
Result<Found> newest(Connection& db, const QString& filter, int limit, qint64 nowMs);

} // namespace redrive::matrix_store
