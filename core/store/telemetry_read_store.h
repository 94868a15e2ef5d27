// Rows of telemetry for lists, exports and the detail. The reading connection's thread.
#pragma once

#include "core/domain/list.h"
#include "core/store/job_read_store.h"

namespace redrive::telemetry_read_store {

// In the order of the keys, with the beginning of the payload; keys whose row is gone are left out.
Result<QList<TelemetryRow>> rows(Connection& db, const std::vector<qint64>& keys);
// The same with whole payloads: of few rows at once.
inline constexpr std::size_t kWholeAtOnce = 200;
Result<QList<TelemetryRow>> wholeRows(Connection& db, const std::vector<qint64>& keys);
// Bytes `offset` to `offset + bytes` of the payload. Nothing: no such row.
Result<std::optional<JobPayload>> payload(Connection& db, qint64 key, qint64 offset, qint64 bytes);
// When the oldest row was made; nothing: there is none.
Result<std::optional<qint64>> oldestMs(Connection& db);

} // namespace redrive::telemetry_read_store
