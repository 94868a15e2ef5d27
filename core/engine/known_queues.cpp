#include "core/engine/known_queues.h"

#include <algorithm>

namespace redrive {

namespace {

bool takesJobs(const Settings& settings, const QString& queue)
{
    return queue == settings.jobsQueue ||
           std::any_of(settings.handlers.cbegin(), settings.handlers.cend(),
                       [&](const HandlerSettings& handler) { return handler.queue == queue; });
}

QueueConsumption consumptionOf(const ConsumerSettings& consumer)
{
    QueueConsumption consumption;
    consumption.declared = true;
    consumption.pulled = consumer.type == ConsumerType::HttpPull;
    consumption.maxBatchSize = consumer.maxBatchSize;
    consumption.maxBatchTimeoutMs = consumer.maxBatchTimeoutMs;
    consumption.maxRetries = consumer.maxRetries;
    consumption.retryDelayMs = consumer.retryDelayMs;
    consumption.maxConcurrency = consumer.maxConcurrency;
    consumption.deadLetterQueue = consumer.deadLetterQueue;
    return consumption;
}

} // namespace

QList<KnownQueue> knownQueues(const Settings& settings)
{
    QList<KnownQueue> queues;
    const QStringList names = settings.queueNames();
    for (const QString& name : names) {
        const ConsumerSettings* consumer = settings.consumer(name);
        KnownQueue queue;
        queue.name = name;
        queue.hasConsumer = consumer && consumer->type == ConsumerType::Worker;
        queue.maxAttempts = consumer ? consumer->maxRetries + 1 : 0;
        queue.noHandler = queue.hasConsumer && !settings.isDeadLetterQueue(name) &&
                          name != settings.telemetryQueue && !takesJobs(settings, name) &&
                          !settings.consumerHandlers.contains(name);
        if (consumer)
            queue.consumption = consumptionOf(*consumer);
        queue.retentionMs = settings.messageRetentionMs(name);
        queue.deliveryDelayMs = settings.deliveryDelayMs(name);
        queues.append(queue);
    }
    return queues;
}

} // namespace redrive
