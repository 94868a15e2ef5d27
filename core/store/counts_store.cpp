#include "core/store/counts_store.h"

#include "core/config/settings.h"
#include "core/db/read_snapshot.h"
#include "core/db/telemetry_table.h"
#include "core/store/breaker_store.h"
#include "core/store/telemetry_read_store.h"
#include "core/store/telemetry_store.h"

#include <QElapsedTimer>

#include <map>

namespace redrive {

namespace {

constexpr qint64 kMsOfDay = 86'400'000;
constexpr qint64 kMsOfHour = 3'600'000;
constexpr qint64 kRestPerWork = 10;

// Each is served by one index, most of them by a small one over open or dead rows.
constexpr char kJobs[] = "SELECT count(*) FROM jobs";
constexpr char kPending[] =
    "SELECT count(*) FROM jobs WHERE status = 'pending' AND status IN ('pending', 'processing')";
constexpr char kProcessing[] =
    "SELECT count(*) FROM jobs WHERE status = 'processing' AND status IN ('pending', 'processing')";
constexpr char kJobTimers[] = "SELECT count(*) FROM jobs WHERE due_at_ms IS NOT NULL";
constexpr char kJobTimersUntil[] = "SELECT count(*) FROM jobs WHERE due_at_ms <= ?";
constexpr char kDeliveryTimers[] =
    "SELECT count(*) FROM webhook_deliveries WHERE due_at_ms IS NOT NULL AND status = 'failed'";
constexpr char kDeliveryTimersUntil[] =
    "SELECT count(*) FROM webhook_deliveries WHERE due_at_ms <= ? AND status = 'failed'";
constexpr char kDead[] = "SELECT count(*) FROM dead_letters WHERE state = 'open'";
constexpr char kDeadSince[] = "SELECT count(*) FROM dead_letters WHERE state = 'open' AND dead_at_ms >= ?";
constexpr char kBin[] = "SELECT count(*) FROM dead_letters WHERE state = 'discarded'";
constexpr char kDeliveries[] = "SELECT count(*) FROM webhook_deliveries";
constexpr char kDeliveriesDue[] = "SELECT count(*) FROM webhook_deliveries WHERE due_at_ms IS NOT NULL";
constexpr char kDeliveriesSending[] = "SELECT count(*) FROM webhook_deliveries WHERE instance_no IS NOT NULL";
constexpr char kDeliveriesHeld[] = "SELECT count(*) FROM webhook_deliveries WHERE status = 'held'";

constexpr char kQueues[] =
    "SELECT name, paused_at_ms, paused_by, retention_ms, delivery_delay_ms FROM queues";
constexpr char kMessages[] =
    "SELECT queue, "
    "sum(CASE WHEN lease_instance IS NULL AND visible_at_ms <= ? THEN 1 ELSE 0 END), "
    "sum(CASE WHEN lease_instance IS NULL AND visible_at_ms > ? THEN 1 ELSE 0 END), "
    "sum(CASE WHEN lease_instance IS NOT NULL THEN 1 ELSE 0 END), sum(size), "
    "min(CASE WHEN lease_instance IS NULL AND visible_at_ms <= ? THEN sent_at_ms END) "
    "FROM messages GROUP BY queue";
constexpr char kLetters[] =
    "SELECT source_queue, count(*) FROM dead_letters WHERE state = 'open' GROUP BY source_queue";

Status add(Connection& db, const char* statement, qint64& count, std::optional<qint64> bound = {})
{
    auto query = db.query(statement);
    if (bound)
        query.bind(*bound);
    if (query.next())
        count += query.int64(0);
    return query.status();
}

Status addQueues(Connection& db, std::map<QString, QueueStats>& queues)
{
    auto query = db.query(kQueues);
    while (query.next()) {
        QueueStats& queue = queues[query.text(0)];
        queue.paused = !query.isNull(1);
        queue.pausedAtMs = query.int64(1);
        queue.pausedBy = query.text(2);
        queue.retentionMs = query.optInt64(3).value_or(queue.retentionMs);
        queue.deliveryDelayMs = query.optInt64(4).value_or(queue.deliveryDelayMs);
    }
    return query.status();
}

Status addMessages(Connection& db, qint64 nowMs, std::map<QString, QueueStats>& queues)
{
    auto query = db.query(kMessages);
    query.bind(nowMs).bind(nowMs).bind(nowMs);
    while (query.next()) {
        QueueStats& queue = queues[query.text(0)];
        queue.waiting = query.int64(1);
        queue.delayed = query.int64(2);
        queue.inFlight = query.int64(3);
        queue.backlogBytes = query.int64(4);
        queue.oldestWaitingMs = query.optInt64(5);
    }
    return query.status();
}

Status addLetters(Connection& db, std::map<QString, QueueStats>& queues)
{
    auto query = db.query(kLetters);
    while (query.next()) {
        if (!query.isNull(0)) // letters of deliveries come from no queue
            queues[query.text(0)].deadLetters = query.int64(1);
    }
    return query.status();
}

Result<QList<QueueStats>> queueStats(Connection& db, qint64 nowMs, const QList<KnownQueue>& known)
{
    std::map<QString, QueueStats> queues;
    for (const KnownQueue& declared : known) {
        QueueStats& queue = queues[declared.name];
        queue.declared = true;
        queue.hasConsumer = declared.hasConsumer;
        queue.noHandler = declared.noHandler;
        queue.consumption = declared.consumption;
        queue.retentionMs = declared.retentionMs;
        queue.deliveryDelayMs = declared.deliveryDelayMs;
    }
    REDRIVE_TRY(addQueues(db, queues));
    REDRIVE_TRY(addMessages(db, nowMs, queues));
    REDRIVE_TRY(addLetters(db, queues));
    QList<QueueStats> all;
    for (auto& [name, queue] : queues) {
        queue.name = name;
        if (queue.retentionMs == 0)
            queue.retentionMs = defaultMessageRetentionMs;
        all.append(queue);
    }
    return all;
}

Result<TelemetryKept> telemetryKept(Connection& db)
{
    REDRIVE_ASSIGN(pruning, telemetry_store::pruning(db));
    REDRIVE_ASSIGN(missing, telemetryTableIsMissing(db));
    if (missing) // the other counts, what waits for it among them, are as true as ever
        return TelemetryKept{{}, {}, pruning};
    REDRIVE_ASSIGN(size, telemetry_store::size(db));
    REDRIVE_ASSIGN(oldestMs, telemetry_read_store::oldestMs(db));
    return TelemetryKept{size, oldestMs, pruning};
}

} // namespace

Result<StoreCounts> CountsStore::counts(Connection& db, qint64 nowMs, qint64 steadyMs)
{
    if (m_last && steadyMs - m_lastAtMs < m_tookMs * kRestPerWork)
        return *m_last;
    QElapsedTimer timer;
    timer.start();
    REDRIVE_ASSIGN(fresh, count(db, nowMs));
    m_tookMs = timer.elapsed();
    m_lastAtMs = steadyMs;
    m_last = fresh;
    return fresh;
}

Result<StoreCounts> CountsStore::count(Connection& db, qint64 nowMs) const
{
    REDRIVE_ASSIGN(snapshot, ReadSnapshot::begin(db));
    StoreCounts counts;
    REDRIVE_TRY(add(db, kJobs, counts.jobs));
    REDRIVE_TRY(add(db, kPending, counts.pending));
    REDRIVE_TRY(add(db, kProcessing, counts.processing));
    REDRIVE_TRY(add(db, kJobTimers, counts.timers));
    REDRIVE_TRY(add(db, kDeliveryTimers, counts.timers));
    REDRIVE_TRY(add(db, kJobTimersUntil, counts.timersDueInHour, nowMs + kMsOfHour));
    REDRIVE_TRY(add(db, kDeliveryTimersUntil, counts.timersDueInHour, nowMs + kMsOfHour));
    REDRIVE_TRY(add(db, kDead, counts.deadLetters));
    REDRIVE_TRY(add(db, kDeadSince, counts.deadToday, nowMs - nowMs % kMsOfDay));
    REDRIVE_TRY(add(db, kBin, counts.bin));
    REDRIVE_TRY(add(db, kDeliveries, counts.deliveries));
    REDRIVE_TRY(add(db, kDeliveriesDue, counts.deliveriesOpen));
    REDRIVE_TRY(add(db, kDeliveriesSending, counts.deliveriesOpen));
    REDRIVE_TRY(add(db, kDeliveriesHeld, counts.deliveriesOpen));
    REDRIVE_ASSIGN(openBreakers, breaker_store::count(db));
    REDRIVE_ASSIGN(breakers, breaker_store::all(db, kBreakersNamed));
    counts.openBreakers = openBreakers;
    counts.breakers = breakers;
    REDRIVE_ASSIGN(queues, queueStats(db, nowMs, m_known));
    counts.queues = queues;
    REDRIVE_ASSIGN(telemetry, telemetryKept(db));
    counts.telemetry = telemetry;
    return counts;
}

} // namespace redrive
