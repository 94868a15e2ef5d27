// The figures of telemetry as values of its tiles. Window thread (translations); otherwise pure.
#pragma once

#include "ui/bridge/engine_bridge.h"
#include "ui/models/format.h"
#include "ui/widgets/tile_band.h"

namespace redrive {

enum TelemetryTile { RateTile, LagTile, BatchesTile, PoisonTile, WaitingTile, KeptTile, kTelemetryTiles };

struct TelemetryView
{
    TelemetryFigures writer;
    const TelemetryKept* kept = nullptr; // nothing: not known yet
    const QueueStats* queue = nullptr; // the telemetry queue; nothing: there is none, or it is not known yet
    QList<double> rates;               // of the last minutes
    qint64 nowMs = 0;
    format::Zone zone = format::Zone::Utc;
};

// Of two lines of context at most.
TileView telemetryTile(TelemetryTile which, const TelemetryView& view);

} // namespace redrive
