// The details that the console shows, put together from the stores in one state of the database. The reading
// connection's thread.
#pragma once

#include "core/db/connection.h"
#include "core/engine/engine_api.h"
#include "core/store/job_read_store.h"

namespace redrive {

// NotFound when there is no such row.
Result<JobDetail> readJobDetail(Connection& db, const QString& id, const QueueAttempts& attempts);
Result<DeliveryDetail> readDeliveryDetail(Connection& db, const QString& id);
Result<LetterDetail> readLetterDetail(Connection& db, qint64 no, const QueueAttempts& attempts);
Result<ListRows> readRows(Connection& db, ListKind kind, const std::vector<qint64>& keys,
                          const QueueAttempts& attempts);
// At most 1 MiB of it.
Result<PayloadPiece> readPayload(Connection& db, const QString& id, qint64 offset, qint64 bytes);
Result<PayloadPiece> readTelemetryPayload(Connection& db, qint64 key, qint64 offset, qint64 bytes);

} // namespace redrive
