#include "ui/pages/overview_tiles.h"

#include "ui/models/format.h"
#include "ui/models/state_words.h"

#include <QCoreApplication>

namespace redrive {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(overview)
};

TileView tile(const QString& caption, const QString& figure, const QString& unit = {})
{
    TileView view;
    view.caption = caption;
    view.figure = figure;
    view.unit = unit;
    return view;
}

// Fewer, wider bars: each stands for several steps.
QList<double> gathered(const QList<double>& steps)
{
    constexpr qsizetype kTogether = 5;
    QList<double> bars;
    for (qsizetype i = 0; i < steps.size(); ++i) {
        if (i % kTogether == 0)
            bars.append(0);
        bars.back() += steps[i];
    }
    return bars;
}

TileView backlog(const StoreCounts& counts)
{
    auto view = tile(Words::tr("Backlog"), format::number(backlogOf(counts)), Words::tr("jobs"));
    const QueueStats* largest = nullptr;
    for (const auto& queue : counts.queues)
        if (!largest || queue.waiting + queue.delayed > largest->waiting + largest->delayed)
            largest = &queue;
    view.context = Words::tr("%n queue(s)", nullptr, int(counts.queues.size()));
    if (largest && largest->waiting + largest->delayed > 0)
        view.context += u" \u00B7 "_s + Words::tr("largest %1, %2")
                                            .arg(cellText(largest->name),
                                                 format::number(largest->waiting + largest->delayed));
    return view;
}

TileView oldest(const StoreCounts& counts, qint64 nowMs)
{
    auto view = tile(Words::tr("Oldest waiting"), format::unknown());
    const QueueStats* oldestQueue = nullptr;
    for (const auto& queue : counts.queues)
        if (queue.oldestWaitingMs && (!oldestQueue || *queue.oldestWaitingMs < *oldestQueue->oldestWaitingMs))
            oldestQueue = &queue;
    if (!oldestQueue) {
        view.context = Words::tr("nothing waits");
        return view;
    }
    const auto age = format::age(nowMs - *oldestQueue->oldestWaitingMs);
    view.figure = age.section(u' ', 0, 0);
    view.unit = age.section(u' ', 1);
    view.context = Words::tr("queue %1").arg(cellText(oldestQueue->name));
    if (oldestQueue->paused)
        view.context += u" \u00B7 "_s + Words::tr("paused");
    return view;
}

TileView dead(const StoreCounts& counts)
{
    auto view = tile(Words::tr("Dead now"), format::number(counts.deadLetters));
    if (counts.deadLetters > 0)
        view.glyph = u"dead"_s;
    view.context = counts.deadToday > 0 ? Words::tr("+%1 new today").arg(format::number(counts.deadToday))
                                        : Words::tr("none new today");
    if (counts.deadToday > 0)
        view.contextState = u"dead"_s;
    return view;
}

TileView retries(const StoreCounts& counts)
{
    auto view =
        tile(Words::tr("Retries due next hour"), format::number(counts.timersDueInHour), Words::tr("timers"));
    view.context = Words::tr("%1 timers in all").arg(format::number(counts.timers));
    return view;
}

TileView breakers(const StoreCounts& counts, qint64 nowMs)
{
    auto view = tile(Words::tr("Open breakers"), format::number(counts.openBreakers));
    if (counts.breakers.isEmpty()) {
        view.context = Words::tr("deliveries open: %1").arg(format::number(counts.deliveriesOpen));
        return view;
    }
    const OpenBreaker& newest = counts.breakers.first();
    const qint64 leftMs = newest.openUntilMs - nowMs;
    const auto name = cellText(newest.endpointId);
    view.glyph = u"breakerOpen"_s;
    view.context = leftMs > 0 ? Words::tr("%1 probes in %2").arg(name, format::duration(leftMs))
                              : Words::tr("%1 probes next").arg(name);
    return view;
}

} // namespace

qint64 backlogOf(const StoreCounts& counts)
{
    qint64 sum = 0;
    for (const auto& queue : counts.queues)
        sum += queue.waiting + queue.delayed + queue.inFlight;
    return sum;
}

TileView overviewTile(OverviewTile which, const OverviewFigures& figures)
{
    if (which == ThroughputTile) {
        const double rate = figures.rates.donePerSecond;
        auto view = tile(Words::tr("Throughput"), format::number(rate, rate > 0 && rate < 10 ? 1 : 0),
                         Words::tr("jobs/s"));
        view.context = Words::tr("accepted %1/s \u00B7 peak %2")
                           .arg(format::number(figures.rates.acceptedPerSecond,
                                               figures.rates.acceptedPerSecond < 10 ? 1 : 0),
                                format::number(figures.peakPerSecond, figures.peakPerSecond < 10 ? 1 : 0));
        view.spark = figures.throughput;
        return view;
    }
    static const StoreCounts none;
    const auto& counts = figures.counts ? *figures.counts : none;
    TileView view;
    switch (which) {
    case BacklogTile:
        view = backlog(counts);
        view.spark = figures.backlogs;
        break;
    case OldestTile:
        view = oldest(counts, figures.nowMs);
        break;
    case DeadTile:
        view = dead(counts);
        view.spark = gathered(figures.deads);
        view.bars = true;
        view.sparkHot = int(view.spark.size());
        break;
    case RetriesTile:
        view = retries(counts);
        break;
    default:
        view = breakers(counts, figures.nowMs);
        break;
    }
    if (!figures.counts) {
        view.figure = format::unknown();
        view.context.clear();
    }
    return view;
}

} // namespace redrive
