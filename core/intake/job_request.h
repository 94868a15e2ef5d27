// The body of POST /jobs, checked and taken apart. Any thread.
#pragma once

#include "core/intake/intake_port.h"
#include "core/intake/payload_rules.h"

#include <QByteArrayView>

namespace redrive {

// `idempotencyKey` is null when the header was not sent.
tl::expected<EnqueueRequest, HttpProblem> readJobRequest(QByteArrayView body, QByteArrayView idempotencyKey,
                                                         const PayloadRules& rules);

} // namespace redrive
