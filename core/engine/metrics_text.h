// The answer of GET /metrics: Prometheus text format 0.0.4. Pure.
#pragma once

#include "core/engine/engine_api.h"
#include "core/intake/http_server.h"

#include <QByteArray>

namespace redrive {

QByteArray metricsText(const StoreCounts& counts, const EngineHealth& health, const HttpFigures& http,
                       const QString& telemetryQueue, qint64 nowMs); // no name: there is none

} // namespace redrive
