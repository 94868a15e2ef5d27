// The figures of the overview as values of its tiles. Window thread (translations); otherwise pure.
#pragma once

#include "ui/bridge/engine_bridge.h"
#include "ui/widgets/tile_band.h"

namespace redrive {

enum OverviewTile {
    BacklogTile,
    ThroughputTile,
    OldestTile,
    DeadTile,
    RetriesTile,
    BreakersTile,
    kOverviewTiles
};

struct OverviewFigures
{
    const StoreCounts* counts = nullptr; // nothing: not known yet
    EngineRates rates;
    double peakPerSecond = 0;
    qint64 nowMs = 0;
    QList<double> backlogs;
    QList<double> throughput;
    QList<double> deads; // new ones per step of the throughput
};

TileView overviewTile(OverviewTile which, const OverviewFigures& figures);
qint64 backlogOf(const StoreCounts& counts); // waiting, delayed and in flight over all queues

} // namespace redrive
