// A real engine for a window, whose deliveries wait for an hour after their first failure. Window thread.
#pragma once

#include "core/engine/engine.h"

namespace redrive::test {

// Ends the program when it does not start.
inline std::unique_ptr<Engine> patientEngine(const QString& databasePath)
{
    EngineOptions options;
    ConsumerSettings consumer;
    consumer.queue = u"jobs"_s;
    consumer.maxBatchTimeoutMs = 0;
    options.settings.consumers = {consumer};
    options.settings.jobsQueue = u"jobs"_s;
    options.settings.backoff = {3'600'000, 3'600'000, 0};
    options.listen = false;
    options.database.path = databasePath;
    options.drainMs = 300;
    auto engine = Engine::start(std::move(options));
    if (!engine)
        qFatal("%s", qPrintable(engine.error().text()));
    return std::move(*engine);
}

} // namespace redrive::test
