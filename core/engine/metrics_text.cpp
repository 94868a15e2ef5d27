#include "core/engine/metrics_text.h"

#include "core/domain/telemetry_lag.h"

#include <functional>

namespace redrive {

namespace {

class Text
{
public:
    void family(const char* name, const char* type, const char* help)
    {
        m_name = name;
        m_text += QByteArray("# HELP ") + name + ' ' + help + "\n# TYPE " + name + ' ' + type + '\n';
    }
    void value(qint64 number) { m_text += m_name + ' ' + QByteArray::number(number) + '\n'; }
    void value(const char* label, const QString& of, qint64 number)
    {
        QByteArray escaped = of.toUtf8();
        escaped.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        m_text += m_name + '{' + label + "=\"" + escaped + "\"} " + QByteArray::number(number) + '\n';
    }
    template <typename Field>
    void perQueue(const StoreCounts& counts, Field field)
    {
        for (const QueueStats& queue : counts.queues)
            value("queue", queue.name, qint64(std::invoke(field, queue)));
    }
    QByteArray take() { return std::move(m_text); }

private:
    QByteArray m_name;
    QByteArray m_text;
};

} // namespace

namespace {

// Totals of this engine per queue, and how busy it is with each.
void addQueueWork(Text& text, const StoreCounts& counts)
{
    text.family("redrive_queue_done_total", "counter",
                "Messages of a queue acknowledged by this engine since its start.");
    text.perQueue(counts, &QueueStats::done);
    text.family("redrive_queue_failed_total", "counter",
                "Deliveries of a queue that failed in this engine since its start.");
    text.perQueue(counts, &QueueStats::failed);
    text.family("redrive_queue_expired_total", "counter",
                "Messages this engine deleted since its start because their queue keeps them no longer.");
    text.perQueue(counts, &QueueStats::expired);
    text.family("redrive_queue_batches", "gauge", "Batches of a queue that are open in this engine.");
    text.perQueue(counts, &QueueStats::batches);
    text.family("redrive_queue_batches_limit", "gauge", "How many batches of a queue may be open at once.");
    text.perQueue(counts, &QueueStats::batchLimit);
}

void addQueueContent(Text& text, const StoreCounts& counts, qint64 nowMs)
{
    text.family("redrive_queue_backlog", "gauge", "Messages in a queue: waiting, delayed and in flight.");
    text.perQueue(counts, &QueueStats::backlog);
    text.family("redrive_queue_oldest_waiting_seconds", "gauge",
                "Age of the oldest message of a queue that could be delivered now; 0 without one.");
    text.perQueue(counts, [nowMs](const QueueStats& queue) {
        return queue.oldestWaitingMs ? std::max<qint64>(0, nowMs - *queue.oldestWaitingMs) / 1000 : 0;
    });
    text.family("redrive_queue_paused", "gauge", "1 where a queue is paused.");
    text.perQueue(counts, &QueueStats::paused);
}

void addEndpoints(Text& text, const StoreCounts& counts, const EngineHealth& health)
{
    text.family("redrive_offline", "gauge", "1 while no endpoint beyond this machine can be reached.");
    text.value(health.offlineSinceMs ? 1 : 0);
    text.family("redrive_breakers_open", "gauge", "Endpoints whose circuit breaker is open.");
    text.value(counts.openBreakers);
    text.family("redrive_breaker_probe_seconds", "gauge",
                "When the probe of an endpoint's open breaker goes out, unix time; the newest 100.");
    for (const OpenBreaker& breaker : counts.breakers)
        text.value("endpoint", breaker.endpointId, breaker.openUntilMs / 1000);
}

const QueueStats* queueNamed(const StoreCounts& counts, const QString& name)
{
    const auto found = std::find_if(counts.queues.cbegin(), counts.queues.cend(),
                                    [&](const QueueStats& queue) { return queue.name == name; });
    return found == counts.queues.cend() ? nullptr : &*found;
}

void addTelemetry(Text& text, const StoreCounts& counts, const EngineHealth& health,
                  const QString& telemetryQueue, qint64 nowMs)
{
    const TelemetryFigures& figures = health.telemetry;
    if (!figures.consumed)
        return;
    text.family("redrive_telemetry_rows_total", "counter",
                "Events written to system_telemetry since the start.");
    text.value(qint64(figures.rows));
    text.family("redrive_telemetry_batches_total", "counter", "Batches of events written since the start.");
    text.value(qint64(figures.batches));
    text.family("redrive_telemetry_isolations_total", "counter",
                "Batches with events that the table refused, since the start.");
    text.value(qint64(figures.isolations));
    text.family("redrive_telemetry_poison_total", "counter",
                "Events that the table refused since the start.");
    text.value(qint64(figures.poison));
    text.family("redrive_telemetry_extra_transactions_total", "counter",
                "Transactions beyond one a batch that refused events have cost since the start.");
    text.value(qint64(figures.extraTransactions));
    text.family(
        "redrive_telemetry_lag_milliseconds", "gauge",
        "The longer wait of the oldest event of the last batch, for 10 s, and of the oldest that waits now.");
    text.value(telemetryLagMs(figures, queueNamed(counts, telemetryQueue), nowMs));
    text.family("redrive_telemetry_waits", "gauge", "1 while the table takes no event and the writer waits.");
    text.value(figures.waitsBecause.isEmpty() ? 0 : 1);
}

void addArchive(Text& text, const ArchiveHealth& archive)
{
    if (!archive.isOn)
        return;
    text.family("redrive_archive_letters_total", "counter",
                "Dead letters written to files of the archive since the start.");
    text.value(archive.letters);
    text.family("redrive_archive_failing", "gauge",
                "1 while letters that are due cannot be written to the archive.");
    text.value(archive.writing ? 1 : 0);
    if (!archive.copies)
        return;
    text.family("redrive_archive_uploads_total", "counter",
                "Files of the archive copied to the bucket since the start.");
    text.value(archive.copied);
    text.family("redrive_archive_upload_failing", "gauge",
                "1 while files of the archive cannot be copied to the bucket.");
    text.value(archive.copying ? 1 : 0);
}

void addHttp(Text& text, const HttpFigures& http)
{
    text.family("redrive_http_requests_total", "counter", "HTTP requests since the start.");
    text.value(qint64(http.requests));
    text.family("redrive_http_refused_total", "counter", "HTTP answers of 400 and above since the start.");
    text.value(qint64(http.refused));
    text.family("redrive_http_connections", "gauge", "Open HTTP connections.");
    text.value(qint64(http.openConnections));
    const std::pair<const char*, HttpFigures::Events> routes[] = {
        {"/ingest", http.ingest}, {"/ingest/batch", http.ingestBatch}, {"/ingest/sync", http.ingestSync}};
    text.family("redrive_ingest_accepted_total", "counter",
                "Events stored and acknowledged since the start, by route.");
    for (const auto& [route, events] : routes)
        text.value("route", QString::fromLatin1(route), qint64(events.accepted));
    text.family("redrive_ingest_rejected_total", "counter",
                "Events refused for what they are since the start, by route.");
    for (const auto& [route, events] : routes)
        text.value("route", QString::fromLatin1(route), qint64(events.rejected));
}

} // namespace

QByteArray metricsText(const StoreCounts& counts, const EngineHealth& health, const HttpFigures& http,
                       const QString& telemetryQueue, qint64 nowMs)
{
    const EngineRates& rates = health.rates;

    Text text;
    text.family("redrive_jobs_accepted_total", "counter", "Jobs accepted since the start.");
    text.value(qint64(rates.accepted));
    text.family("redrive_jobs_done_total", "counter", "Jobs done since the start.");
    text.value(qint64(rates.done));
    text.family("redrive_attempts_failed_total", "counter", "Attempts of jobs that failed since the start.");
    text.value(qint64(rates.failed));
    text.family("redrive_jobs_dead_total", "counter", "Jobs and messages dead since the start.");
    text.value(qint64(rates.dead));
    text.family("redrive_messages_dropped_total", "counter",
                "Messages dropped for want of a dead-letter queue.");
    text.value(qint64(rates.dropped));
    text.family("redrive_delivery_attempts_total", "counter",
                "Webhook requests since the start, by outcome.");
    text.value("outcome", QStringLiteral("delivered"), qint64(rates.deliveredOk));
    text.value("outcome", QStringLiteral("failed"), qint64(rates.deliveredFailed));
    text.family("redrive_jobs", "gauge", "Open and dead jobs, by status.");
    text.value("status", QStringLiteral("pending"), counts.pending);
    text.value("status", QStringLiteral("processing"), counts.processing);
    text.family("redrive_threads_given_up", "gauge", "Threads of handlers that ignore their time limit.");
    text.value(health.threadsGivenUp);
    text.family("redrive_dead_letters", "gauge", "Open dead letters.");
    text.value(counts.deadLetters);
    text.family("redrive_timers", "gauge", "Jobs and deliveries that wait for a due time.");
    text.value(counts.timers);
    text.family("redrive_queue_waiting", "gauge", "Messages that could be delivered now.");
    text.perQueue(counts, &QueueStats::waiting);
    text.family("redrive_queue_delayed", "gauge", "Messages that wait for their time.");
    text.perQueue(counts, &QueueStats::delayed);
    text.family("redrive_queue_in_flight", "gauge", "Messages that a consumer holds.");
    text.perQueue(counts, &QueueStats::inFlight);
    text.family("redrive_queue_backlog_bytes", "gauge", "Bytes of the messages in a queue.");
    text.perQueue(counts, &QueueStats::backlogBytes);
    text.family("redrive_queue_dead_letters", "gauge", "Open dead letters that came from a queue.");
    text.perQueue(counts, &QueueStats::deadLetters);
    addEndpoints(text, counts, health);
    addHttp(text, http);
    addQueueContent(text, counts, nowMs);
    addQueueWork(text, counts);
    addTelemetry(text, counts, health, telemetryQueue, nowMs);
    addArchive(text, health.archive);
    return text.take();
}

} // namespace redrive
