// The row that an event of /ingest becomes. Pure.
#pragma once

#include "core/base/result.h"
#include "core/domain/telemetry.h"

namespace redrive {

// `source` and `tenantId` are copied from the top level of the body; missing, null or empty ones, and those
// of a body that is no object, are `audit` and `system`. The payload is the whole body. InvalidInput: the
// body is no JSON.
Result<NewTelemetry> telemetryRow(const QString& id, const QByteArray& body, qint64 sentAtMs);

} // namespace redrive
