// Endpoints for the console and the command line. Reader thread.
#pragma once

#include "core/db/connection.h"
#include "core/domain/endpoint.h"

namespace redrive::endpoint_read_store {

// All that are registered or known from payloads, by id; deleted ones that still have deliveries waiting or
// held too.
Result<QList<EndpointRow>> list(Connection& db, qint64 nowMs);
// NotFound where there is none of this id.
Result<EndpointDetail> detail(Connection& db, const QString& id, qint64 nowMs);

} // namespace redrive::endpoint_read_store
