#include "core/config/queue_section.h"

#include "core/base/result.h"
#include "core/config/quoted.h"
#include "core/config/table_reader.h"

#include <QSet>

namespace redrive {

namespace {

constexpr qint64 longestDelaySeconds = 86'400;

void readType(TableReader& reader, const ConfigValue& entry, ConsumerSettings& consumer, Diagnostics& out)
{
    const auto type = reader.name(u"type"_s);
    if (!type || *type == u"worker"_s)
        return;
    const ConfigValue& at = *entry.find(u"type"_s);
    if (*type == u"http_pull"_s) {
        consumer.type = ConsumerType::HttpPull;
        out.warning(
            at,
            u"http_pull: the queue stores, shows and purges its messages, and delivers nothing by itself"_s);
    } else {
        out.error(at, u"%1 is no type of consumer, allowed are worker and http_pull"_s.arg(quoted(*type)));
    }
}

void readBatchTimeout(TableReader& reader, ConsumerSettings& consumer, Diagnostics& out)
{
    const ConfigValue* value = reader.take(u"max_batch_timeout"_s);
    if (!value)
        return;
    const auto timeout = readSeconds(*value, 0, 60, out);
    if (!timeout)
        return;
    consumer.maxBatchTimeoutMs = *timeout;
    if (isFraction(*value)) {
        out.notice(
            *value,
            u"a fraction of a second is honoured to the millisecond here; Cloudflare documents whole seconds"_s);
    }
}

void readConcurrency(TableReader& reader, ConsumerSettings& consumer, Diagnostics& out)
{
    const ConfigValue* value = reader.take(u"max_concurrency"_s);
    if (!value || value->kind == ConfigValue::Kind::Null)
        return;
    if (const auto concurrency = readInteger(*value, 1, 250, {}, out))
        consumer.maxConcurrency = static_cast<int>(*concurrency);
}

void readVisibility(TableReader& reader, ConsumerSettings& consumer, Diagnostics& out)
{
    const ConfigValue* value = reader.take(u"visibility_timeout_ms"_s);
    if (!value)
        return;
    if (const auto timeout = readInteger(*value, 0, 43'200'000, u"milliseconds"_s, out))
        consumer.visibilityTimeoutMs = *timeout;
    if (consumer.type != ConsumerType::HttpPull)
        out.warning(*value, u"has an effect only with type = \"http_pull\""_s);
}

void readConsumer(const ConfigValue& entry, DeclaredQueues& queues, Diagnostics& out)
{
    if (!expectTable(entry, out))
        return;
    DeclaredConsumer declared;
    declared.entry = &entry;
    ConsumerSettings& consumer = declared.settings;
    TableReader reader(entry, out);

    consumer.queue = reader.requiredName(u"queue"_s).value_or(QString());
    readType(reader, entry, consumer, out);
    if (const auto size = reader.integer(u"max_batch_size"_s, 1, 100, u"messages"_s))
        consumer.maxBatchSize = static_cast<int>(*size);
    readBatchTimeout(reader, consumer, out);
    if (const auto retries = reader.integer(u"max_retries"_s, 0, 100))
        consumer.maxRetries = static_cast<int>(*retries);
    if (const auto queue = reader.name(u"dead_letter_queue"_s)) {
        declared.deadLetterQueue = entry.find(u"dead_letter_queue"_s);
        consumer.deadLetterQueue = *queue;
        if (*queue == consumer.queue)
            out.error(*declared.deadLetterQueue,
                      u"a queue cannot be its own dead-letter queue, name another one"_s);
    }
    readConcurrency(reader, consumer, out);
    consumer.retryDelayMs = reader.wholeSeconds(u"retry_delay"_s, 0, longestDelaySeconds);
    readVisibility(reader, consumer, out);
    reader.finish();

    if (!consumer.queue.isEmpty()) {
        declared.queue = entry.find(u"queue"_s);
        queues.consumers.append(declared);
    }
}

void readProducer(const ConfigValue& entry, DeclaredQueues& queues, Diagnostics& out)
{
    if (!expectTable(entry, out))
        return;
    DeclaredProducer declared;
    declared.entry = &entry;
    TableReader reader(entry, out);
    declared.settings.binding = reader.requiredName(u"binding"_s).value_or(QString());
    declared.settings.queue = reader.requiredName(u"queue"_s).value_or(QString());
    if (const auto delay = reader.wholeSeconds(u"delivery_delay"_s, 0, longestDelaySeconds)) {
        declared.settings.deliveryDelayMs = *delay;
        out.warning(
            *entry.find(u"delivery_delay"_s),
            u"Cloudflare ignores a producer's delivery_delay; here it is honoured as the queue's delivery delay"_s);
    }
    reader.ignore({u"remote"_s});
    reader.finish();

    if (!declared.settings.queue.isEmpty()) {
        declared.queue = entry.find(u"queue"_s);
        queues.producers.append(declared);
    }
}

} // namespace

DeclaredQueues readQueueSection(const ConfigValue& section, Diagnostics& out)
{
    DeclaredQueues queues;
    if (!expectTable(section, out))
        return queues;
    TableReader reader(section, out);
    if (const ConfigValue* producers = reader.take(u"producers"_s);
        producers && expectArray(*producers, u"tables"_s, out)) {
        for (const ConfigValue& entry : producers->items)
            readProducer(entry, queues, out);
    }
    if (const ConfigValue* consumers = reader.take(u"consumers"_s);
        consumers && expectArray(*consumers, u"tables"_s, out)) {
        for (const ConfigValue& entry : consumers->items)
            readConsumer(entry, queues, out);
    }
    reader.finish();
    return queues;
}

void checkOneConsumerEach(const DeclaredQueues& queues, Diagnostics& out)
{
    QMap<QString, const ConfigValue*> first;
    for (const DeclaredConsumer& consumer : queues.consumers) {
        const QString& name = consumer.settings.queue;
        if (const ConfigValue* earlier = first.value(name)) {
            out.error(*consumer.queue,
                      u"the queue %1 has a consumer already, at %2; one consumer per queue is allowed"_s.arg(
                          quoted(name), earlier->place()));
        } else {
            first.insert(name, consumer.queue);
        }
    }
}

void checkQueueConnections(const DeclaredQueues& queues, Diagnostics& out)
{
    QSet<QString> consumed;
    QSet<QString> deadLetter;
    for (const DeclaredConsumer& consumer : queues.consumers) {
        consumed.insert(consumer.settings.queue);
        deadLetter.insert(consumer.settings.deadLetterQueue);
    }
    QSet<QString> declared = consumed;
    for (const DeclaredProducer& producer : queues.producers)
        declared.insert(producer.settings.queue);

    for (const DeclaredConsumer& consumer : queues.consumers) {
        const ConsumerSettings& settings = consumer.settings;
        if (consumer.deadLetterQueue && !declared.contains(settings.deadLetterQueue)) {
            out.warning(*consumer.deadLetterQueue, u"nothing else declares the queue %1; it is created"_s.arg(
                                                       quoted(settings.deadLetterQueue)));
        }
        const bool drops = settings.deadLetterQueue.isEmpty() && settings.type == ConsumerType::Worker &&
                           !consumer.entry->find(u"dead_letter_queue"_s) &&
                           !deadLetter.contains(settings.queue);
        if (drops) {
            out.warning(
                *consumer.entry,
                u"the consumer of %1 has no dead_letter_queue: messages that use up their retries are dropped"_s
                    .arg(quoted(settings.queue)));
        }
    }
    for (const DeclaredProducer& producer : queues.producers) {
        if (!consumed.contains(producer.settings.queue)) {
            out.warning(*producer.queue,
                        u"the queue %1 has no consumer: its messages wait until one is declared"_s.arg(
                            quoted(producer.settings.queue)));
        }
    }
}

} // namespace redrive
