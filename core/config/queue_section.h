// The `queues` table of a wrangler file. Any thread.
#pragma once

#include "core/config/config_value.h"
#include "core/config/diagnostic.h"
#include "core/config/settings.h"

namespace redrive {

// Pointers into the document, for messages; they live as long as it.
struct DeclaredConsumer
{
    ConsumerSettings settings;
    const ConfigValue* entry = nullptr;
    const ConfigValue* queue = nullptr;
    const ConfigValue* deadLetterQueue = nullptr; // nullptr: none
};

struct DeclaredProducer
{
    ProducerSettings settings;
    const ConfigValue* entry = nullptr;
    const ConfigValue* queue = nullptr;
};

struct DeclaredQueues
{
    QList<DeclaredConsumer> consumers;
    QList<DeclaredProducer> producers;
};

// Every entry whose queue can be told is in the result, even where another key of it is wrong.
DeclaredQueues readQueueSection(const ConfigValue& section, Diagnostics& out);

// A second consumer of a queue, which is an error that names both places.
void checkOneConsumerEach(const DeclaredQueues& queues, Diagnostics& out);

// Warnings: dead-letter queues that nothing declares, consumers without one, producers without a consumer.
void checkQueueConnections(const DeclaredQueues& queues, Diagnostics& out);

} // namespace redrive
