// Lays out the matrix: endpoints of the events and registered ones as columns. The reading connection's
// thread.
#pragma once

#include "core/db/connection.h"
#include "core/domain/matrix.h"

namespace redrive {

// InvalidInput for a filter that cannot be read.
Result<DeliveryMatrix> readMatrix(Connection& db, const QString& filter, qint64 nowMs);

} // namespace redrive
