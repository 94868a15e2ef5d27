#include "ui/pages/telemetry_tiles.h"

#include "core/domain/telemetry_lag.h"
#include "ui/models/state_words.h"

#include <QCoreApplication>

namespace redrive {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(telemetry)
};

TileView tile(const QString& caption, const QString& figure, const QString& unit = {})
{
    TileView view;
    view.caption = caption;
    view.figure = figure;
    view.unit = unit;
    return view;
}

void setMeasure(TileView& tile, const QString& words)
{
    tile.figure = words.section(u' ', 0, 0);
    tile.unit = words.section(u' ', 1);
}

QString notHere()
{
    return Words::tr("no writer here");
}

// The figure of a writer that is not here.
TileView unknown(const QString& caption)
{
    auto made = tile(caption, format::unknown());
    made.context = notHere();
    return made;
}

TileView rate(const TelemetryView& view)
{
    if (!view.writer.consumed)
        return unknown(Words::tr("Rate"));
    const double rows = view.writer.rowsPerSecond;
    auto made =
        tile(Words::tr("Rate"), format::number(rows, rows > 0 && rows < 10 ? 1 : 0), Words::tr("rows/s"));
    made.context = Words::tr("%1 since start").arg(format::number(qint64(view.writer.rows)));
    made.spark = view.rates;
    return made;
}

TileView lag(const TelemetryView& view)
{
    auto made = unknown(Words::tr("Lag"));
    const TelemetryFigures& writer = view.writer;
    if (writer.consumed)
        setMeasure(made, format::elapsed(telemetryLagMs(writer, view.queue, view.nowMs)));
    if (!writer.waitsBecause.isEmpty()) {
        made.context = cellText(writer.waitsBecause);
        made.contextState = u"retrying"_s;
    } else if (writer.consumed && writer.lastRowMs) {
        made.context = Words::tr("last row %1 ago").arg(format::age(view.nowMs - *writer.lastRowMs));
    } else if (writer.consumed) {
        made.context = Words::tr("nothing written yet");
    }
    return made;
}

TileView batches(const TelemetryView& view)
{
    auto made = unknown(Words::tr("Batch"));
    const TelemetryFigures& writer = view.writer;
    if (!writer.consumed)
        return made;
    if (!writer.recentBatchSizes.isEmpty()) {
        made.figure = format::number(qint64(writer.recentBatchSizes.last()));
        made.unit = Words::tr("rows");
    }
    for (const int size : writer.recentBatchSizes.last(qMin<qsizetype>(12, writer.recentBatchSizes.size())))
        made.spark.append(size);
    made.bars = true;
    const QString batches = format::number(qint64(writer.batches));
    made.context =
        writer.isolations == 0
            ? Words::tr("%1 batches").arg(batches)
            : Words::tr("%1, %2 with poison").arg(batches, format::number(qint64(writer.isolations)));
    return made;
}

TileView poison(const TelemetryView& view)
{
    auto made =
        tile(Words::tr("Poison"), view.queue ? format::number(view.queue->deadLetters) : format::unknown());
    if (view.queue && view.queue->deadLetters > 0)
        made.glyph = u"dead"_s;
    made.context = view.writer.consumed
                       ? Words::tr("%1 refused since start").arg(format::number(qint64(view.writer.poison)))
                       : notHere();
    return made;
}

TileView waiting(const TelemetryView& view)
{
    auto made =
        tile(Words::tr("Backlog"), view.queue ? format::number(view.queue->backlog()) : format::unknown());
    if (!view.queue)
        return made;
    made.unit = Words::tr("events");
    if (view.queue->paused) {
        made.context = Words::tr("paused");
        made.contextState = u"held"_s;
    } else if (view.queue->oldestWaitingMs) {
        made.context =
            Words::tr("oldest waits %1").arg(format::age(view.nowMs - *view.queue->oldestWaitingMs));
    } else {
        made.context = Words::tr("nothing waits");
    }
    return made;
}

// What retention deleted last, for whichever reason.
QString prunedText(const TelemetryPruning& pruning, const TelemetryView& view)
{
    const TelemetryPruned* last = nullptr;
    for (const TelemetryPruned* one : {&pruning.byAge, &pruning.bySize})
        if (one->lastAtMs && (!last || *one->lastAtMs > *last->lastAtMs))
            last = one;
    return last ? Words::tr("pruned %1 at %2")
                      .arg(format::number(last->lastRows),
                           format::clockTime(*last->lastAtMs, view.zone, view.nowMs).chopped(3))
                : QString();
}

TileView keptRows(const TelemetryView& view)
{
    auto made = tile(Words::tr("Kept"), view.kept ? format::number(view.kept->size.rows) : format::unknown());
    if (!view.kept)
        return made;
    made.context = format::size(view.kept->size.bytes);
    if (view.kept->oldestMs)
        made.context +=
            u" \u00B7 "_s + Words::tr("oldest %1").arg(format::age(view.nowMs - *view.kept->oldestMs));
    if (const QString pruned = prunedText(view.kept->pruning, view); !pruned.isEmpty())
        made.context += u'\n' + pruned;
    return made;
}

} // namespace

TileView telemetryTile(TelemetryTile which, const TelemetryView& view)
{
    switch (which) {
    case RateTile:
        return rate(view);
    case LagTile:
        return lag(view);
    case BatchesTile:
        return batches(view);
    case PoisonTile:
        return poison(view);
    case WaitingTile:
        return waiting(view);
    default:
        return keptRows(view);
    }
}

} // namespace redrive
