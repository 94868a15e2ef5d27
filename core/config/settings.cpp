#include "core/config/settings.h"

#include "core/base/result.h"

#include <algorithm>

namespace redrive {

const ConsumerSettings* Settings::consumer(const QString& queue) const
{
    const auto found =
        std::find_if(consumers.begin(), consumers.end(),
                     [&](const ConsumerSettings& consumer) { return consumer.queue == queue; });
    return found == consumers.end() ? nullptr : &*found;
}

QStringList Settings::queueNames() const
{
    QStringList names;
    const auto add = [&](const QString& name) {
        if (!name.isEmpty() && !names.contains(name))
            names.append(name);
    };
    for (const ConsumerSettings& consumer : consumers) {
        add(consumer.queue);
        add(consumer.deadLetterQueue);
    }
    for (const ProducerSettings& producer : producers)
        add(producer.queue);
    add(jobsQueue);
    add(telemetryQueue);
    for (const HandlerSettings& handler : handlers)
        add(handler.queue);
    for (auto it = consumerHandlers.keyBegin(); it != consumerHandlers.keyEnd(); ++it)
        add(*it);
    for (auto it = queues.keyBegin(); it != queues.keyEnd(); ++it)
        add(*it);
    return names;
}

bool Settings::isDeadLetterQueue(const QString& queue) const
{
    return !queue.isEmpty() &&
           std::any_of(consumers.begin(), consumers.end(),
                       [&](const ConsumerSettings& consumer) { return consumer.deadLetterQueue == queue; });
}

QString Settings::queueForType(const QString& type) const
{
    const auto handler = handlers.constFind(type);
    return handler != handlers.constEnd() && !handler->queue.isEmpty() ? handler->queue : jobsQueue;
}

qint64 Settings::deliveryDelayMs(const QString& queue) const
{
    if (const auto own = queues.value(queue).deliveryDelayMs)
        return *own;
    for (const ProducerSettings& producer : producers) {
        if (producer.queue == queue && producer.deliveryDelayMs > 0)
            return producer.deliveryDelayMs;
    }
    return 0;
}

qint64 Settings::messageRetentionMs(const QString& queue) const
{
    return queues.value(queue).retentionMs.value_or(defaultMessageRetentionMs);
}

} // namespace redrive
