// What GET /jobs/{id} answers. The reading connection's thread.
#pragma once

#include "core/db/connection.h"

#include <optional>

namespace redrive {

// {"id","type","status","attempts","error","result","createdAt","updatedAt","nextAttemptAt"}; times are unix
// milliseconds; what there is none of is null. A result that is JSON stands as it is, any other as a string.
// Fan-outs add "deliveries": {"total", and a count for each status}. Nothing: no such job.
Result<std::optional<QByteArray>> jobStatusJson(Connection& db, const QString& id);

} // namespace redrive
