#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/place.h"
#include "core/base/clock.h"
#include "core/domain/name_filter.h"
#include "core/engine/known_queues.h"
#include "core/store/telemetry_store.h"

namespace redrive {

namespace {

Result<StoreCounts> countsOf(const Invocation& invocation)
{
    REDRIVE_ASSIGN(place, findPlace(invocation));
    REDRIVE_ASSIGN(db, openExisting(place, Access::Reader));
    return CountsStore(knownQueues(place.settings)).counts(*db, SystemClock().wallMs(), 0);
}

struct Stats
{
    StoreCounts counts;
    TelemetrySize telemetry;
    TelemetryPruning pruning;
};

Result<Stats> statsOf(const Invocation& invocation)
{
    REDRIVE_ASSIGN(place, findPlace(invocation));
    REDRIVE_ASSIGN(db, openExisting(place, Access::Reader));
    REDRIVE_ASSIGN(counts, CountsStore(knownQueues(place.settings)).counts(*db, SystemClock().wallMs(), 0));
    REDRIVE_ASSIGN(telemetry, telemetry_store::size(*db));
    REDRIVE_ASSIGN(pruning, telemetry_store::pruning(*db));
    return Stats{std::move(counts), telemetry, pruning};
}

QString stateOf(const QueueStats& queue)
{
    if (queue.paused)
        return u"paused"_s;
    if (queue.consumption.pulled)
        return u"pulled"_s;
    if (!queue.hasConsumer)
        return u"no consumer"_s;
    if (queue.noHandler && queue.waiting > 0)
        return u"no handler"_s;
    if (queue.inFlight > 0)
        return u"working"_s;
    return queue.waiting > 0 ? u"waiting"_s : u"idle"_s;
}

void printJson(const QueueStats& queue)
{
    JsonLine line;
    line.add("queue", queue.name)
        .add("state", stateOf(queue))
        .add("declared", queue.declared)
        .add("hasConsumer", queue.hasConsumer)
        .add("paused", queue.paused)
        .addTextOrNull("pausedBy", queue.pausedBy)
        .add("pausedAt", queue.paused ? std::optional(queue.pausedAtMs) : std::nullopt);
    line.add("backlog", queue.backlog())
        .add("backlogBytes", queue.backlogBytes)
        .add("waiting", queue.waiting)
        .add("delayed", queue.delayed)
        .add("inFlight", queue.inFlight)
        .add("oldestWaitingAt", queue.oldestWaitingMs)
        .add("deadLetters", queue.deadLetters);
    line.add("retentionMs", queue.retentionMs).add("deliveryDelayMs", queue.deliveryDelayMs);
    line.addTextOrNull("deadLetterQueue", queue.consumption.deadLetterQueue);
    line.print();
}

// Leaves the queues that match.
Status filterQueues(const Invocation& invocation, StoreCounts& counts)
{
    const auto filter = parseFilter(invocation.where.value_or(QString()));
    if (!filter)
        return fail(filterError(filter.error()));
    REDRIVE_TRY(checkNameFilter(filter->root, queueFilterTerms()));
    counts.queues.removeIf([&](const QueueStats& queue) {
        return !matchesName(filter->root, {queue.name, {}, {}});
    });
    return {};
}

Status list(const Invocation& invocation)
{
    REDRIVE_ASSIGN(counts, countsOf(invocation));
    REDRIVE_TRY(filterQueues(invocation, counts));
    const bool more = invocation.limit > 0 && counts.queues.size() > invocation.limit;
    if (more)
        counts.queues.resize(invocation.limit);
    TextTable table({u"QUEUE"_s, u"STATE"_s, u"WAITING"_s, u"DELAYED"_s, u"IN FLIGHT"_s, u"BYTES"_s,
                     u"DEAD"_s, u"OLDEST WAITING"_s});
    for (const QueueStats& queue : std::as_const(counts.queues)) {
        if (invocation.json)
            printJson(queue);
        else
            table.add({queue.name, stateOf(queue), QString::number(queue.waiting),
                       QString::number(queue.delayed), QString::number(queue.inFlight),
                       QString::number(queue.backlogBytes), QString::number(queue.deadLetters),
                       utcText(queue.oldestWaitingMs)});
    }
    if (!invocation.json && !counts.queues.isEmpty())
        table.print();
    if (more)
        printNotice(
            u"more match than the %1 shown: --limit N shows N, --limit 0 all"_s.arg(invocation.limit));
    return {};
}

void printStats(const Stats& stats, const Invocation& invocation)
{
    const StoreCounts& counts = stats.counts;
    qint64 waiting = 0;
    qint64 delayed = 0;
    qint64 inFlight = 0;
    qint64 bytes = 0;
    qint64 letters = 0;
    std::optional<qint64> oldest;
    for (const QueueStats& queue : counts.queues) {
        waiting += queue.waiting;
        delayed += queue.delayed;
        inFlight += queue.inFlight;
        bytes += queue.backlogBytes;
        letters += queue.deadLetters;
        if (queue.oldestWaitingMs)
            oldest = std::min(oldest.value_or(*queue.oldestWaitingMs), *queue.oldestWaitingMs);
    }
    using Figures = QList<std::pair<const char*, qint64>>;
    const Figures ofQueues{{"queues", counts.queues.size()},
                           {"waiting", waiting},
                           {"delayed", delayed},
                           {"inFlight", inFlight},
                           {"backlogBytes", bytes}};
    Figures figures = invocation.where ? Figures{{"deadLetters", letters}}
                                       : Figures{{"jobs", counts.jobs},
                                                 {"pending", counts.pending},
                                                 {"processing", counts.processing},
                                                 {"timers", counts.timers},
                                                 {"timersDueInHour", counts.timersDueInHour},
                                                 {"deadLetters", counts.deadLetters},
                                                 {"deadToday", counts.deadToday},
                                                 {"bin", counts.bin},
                                                 {"deliveries", counts.deliveries},
                                                 {"deliveriesOpen", counts.deliveriesOpen},
                                                 {"openBreakers", counts.openBreakers},
                                                 {"telemetryRows", stats.telemetry.rows},
                                                 {"telemetryBytes", stats.telemetry.bytes},
                                                 {"telemetryPrunedByAge", stats.pruning.byAge.rows},
                                                 {"telemetryPrunedBySize", stats.pruning.bySize.rows}};
    figures.append(ofQueues);
    if (invocation.limit > 0 && figures.size() > invocation.limit)
        figures.resize(invocation.limit);
    if (invocation.json) {
        JsonLine line;
        for (const auto& [name, value] : figures)
            line.add(name, value);
        line.add("oldestWaitingAt", oldest).print();
        return;
    }
    TextTable table({u"FIGURE"_s, u"VALUE"_s});
    for (const auto& [name, value] : figures)
        table.add({QString::fromLatin1(name), QString::number(value)});
    table.add({u"oldestWaitingAt"_s, utcText(oldest)});
    table.print();
}

} // namespace

int runQueues(const Invocation& invocation)
{
    const auto listed = list(invocation);
    return listed ? exit_code::kDone : failed(listed.error());
}

int runStats(const Invocation& invocation)
{
    auto stats = statsOf(invocation);
    if (!stats)
        return failed(stats.error());
    if (const auto filtered = filterQueues(invocation, stats->counts); !filtered)
        return failed(filtered.error());
    printStats(*stats, invocation);
    return exit_code::kDone;
}

} // namespace redrive
