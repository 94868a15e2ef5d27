// The scans that give telemetry newest first, over the indexes by tenant and by source. The reading
// connection's thread.
#pragma once

#include "core/db/connection.h"
#include "core/store/list_source.h"

namespace redrive {

// The kinds that the table holds, in order; a null one stands for rows without any. At most one more than
// kMostTelemetryKinds: there are more.
inline constexpr int kMostTelemetryKinds = 32;
Result<QStringList> telemetryKinds(Connection& db);

// One scan of the tenant that the filter names, else one for each kind that it lets through, within the times
// that it asks for. A table of very many kinds is read by id.
Result<std::vector<ListSource>> telemetrySources(Connection& db, const FilterNode& filter, qint64 nowMs);

// All rows of one kind, or of one tenant, made from `fromMs` to `toMs`, both included; pure.
ListSource telemetryOfKind(const QString& kind, qint64 fromMs, std::optional<qint64> toMs);
ListSource telemetryOfTenant(const QString& tenant, qint64 fromMs, std::optional<qint64> toMs);

} // namespace redrive
