// The body of POST /jobs/batch: a JSON array of jobs, or one job a line (NDJSON; blank lines are nothing).
// Any thread.
#pragma once

#include "core/intake/job_request.h"

namespace redrive {

inline constexpr qsizetype kMostJobsInBatch = 100;

// All jobs or the first thing that is wrong; of wrong fields all, with the index of their job from 0. Each
// job may have `jobBytes`. `idempotencyKey` is null when the header was not sent.
tl::expected<EnqueueRequest, HttpProblem> readJobBatch(QByteArrayView body, QByteArrayView idempotencyKey,
                                                       const PayloadRules& rules, qint64 jobBytes);

} // namespace redrive
