// The answer of GET /metrics: Prometheus text format 0.0.4. Pure.
#pragma once

#include "core/domain/overview.h"

#include <QByteArray>

namespace redrive {

QByteArray metricsText(const StoreCounts& counts, const EngineRates& rates, int threadsGivenUp, qint64 nowMs);

} // namespace redrive
