#include "core/engine/metrics_text.h"

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
    void perQueue(const StoreCounts& counts, qint64 QueueStats::*field)
    {
        for (const QueueStats& queue : counts.queues)
            value("queue", queue.name, queue.*field);
    }
    QByteArray take() { return std::move(m_text); }

private:
    QByteArray m_name;
    QByteArray m_text;
};

} // namespace

QByteArray metricsText(const StoreCounts& counts, const EngineRates& rates)
{
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
    return text.take();
}

} // namespace redrive
