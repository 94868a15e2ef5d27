#include "core/config/redrive_tables.h"

#include "core/base/result.h"
#include "core/config/table_reader.h"

namespace redrive {

namespace {

constexpr qint64 daySeconds = 86'400;
constexpr qint64 longestRetentionSeconds = 3'650 * daySeconds;
constexpr qint64 mostMessages = 1'000'000'000;
constexpr double slowestRate = 0.001; // requests a second
constexpr double highestRate = 1'000'000;
constexpr qint64 mostBytes = 1LL << 50;

void set(qint64& target, std::optional<qint64> value)
{
    if (value)
        target = *value;
}

} // namespace

void readBackoff(const ConfigValue& table, BackoffSettings& backoff, Diagnostics& out)
{
    TableReader reader(table, out);
    set(backoff.baseMs, reader.seconds(u"base"_s, 0, daySeconds));
    set(backoff.capMs, reader.seconds(u"cap"_s, 0, daySeconds));
    if (const auto jitter = reader.number(u"jitter"_s, 0, 1))
        backoff.jitter = *jitter;
    reader.finish();
    if (backoff.capMs < backoff.baseMs)
        out.error(table, u"the cap is smaller than the base, it must be the same or more"_s);
}

void readSweep(const ConfigValue& table, SweepSettings& sweep, Diagnostics& out)
{
    TableReader reader(table, out);
    set(sweep.publishLostAfterMs, reader.seconds(u"publish_lost_after"_s, 1, 7 * daySeconds));
    set(sweep.stuckAfterMs, reader.seconds(u"stuck_after"_s, 1, 7 * daySeconds));
    reader.finish();
}

void readLimits(const ConfigValue& table, LimitSettings& limits, Diagnostics& out)
{
    TableReader reader(table, out);
    const ConfigValue* backlog = reader.take(u"backlog"_s);
    limits.ratePerSecond = reader.number(u"rate"_s, slowestRate, highestRate);
    reader.finish();
    if (!backlog)
        return;
    if (!backlog->isTable()) {
        set(limits.backlogMessages, readInteger(*backlog, 1, mostMessages, u"messages"_s, out));
        return;
    }
    TableReader parts(*backlog, out);
    set(limits.backlogMessages, parts.integer(u"messages"_s, 1, mostMessages, u"messages"_s));
    set(limits.backlogBytes, parts.integer(u"bytes"_s, 1, mostBytes, u"bytes"_s));
    parts.finish();
}

void readRetention(const ConfigValue& table, RetentionSettings& retention, Diagnostics& out)
{
    TableReader reader(table, out);
    const auto read = [&](const QString& key, qint64& target) {
        set(target, reader.seconds(key, 60, longestRetentionSeconds));
    };
    read(u"jobs"_s, retention.jobsMs);
    read(u"deliveries"_s, retention.deliveriesMs);
    read(u"bodies"_s, retention.bodiesMs);
    read(u"telemetry"_s, retention.telemetryMs);
    retention.telemetryBytes = reader.integer(u"telemetry_bytes"_s, 1'000'000, mostBytes, u"bytes"_s);
    read(u"audit"_s, retention.auditMs);
    read(u"letters"_s, retention.lettersMs);
    read(u"bin"_s, retention.binMs);
    reader.finish();
}

void readQueueSettings(const ConfigValue& table, Settings& settings, RedrivePlaces& places, Diagnostics& out)
{
    for (const ConfigValue& entry : table.items) {
        if (!isCleanText(entry.key) || entry.key.size() > 255) {
            out.error(entry, u"a queue must be one line of 1 to 255 characters"_s);
            continue;
        }
        if (!expectTable(entry, out))
            continue;
        QueueSettings queue;
        TableReader reader(entry, out);
        queue.retentionMs = reader.seconds(u"retention"_s, 60, 14 * daySeconds);
        queue.deliveryDelayMs = reader.seconds(u"delivery_delay"_s, 0, daySeconds);
        queue.paused = reader.boolean(u"paused"_s);
        reader.finish();
        settings.queues.insert(entry.key, queue);
        places.queues.insert(entry.key, &entry);
    }
}

} // namespace redrive
