#include "core/config/defaults.h"

#include "core/base/result.h"

namespace redrive {

namespace {

ConsumerSettings consumer(const QString& queue, int batchSize, qint64 batchTimeoutMs,
                          const QString& deadLetterQueue)
{
    ConsumerSettings settings;
    settings.queue = queue;
    settings.maxBatchSize = batchSize;
    settings.maxBatchTimeoutMs = batchTimeoutMs;
    settings.maxRetries = 3;
    settings.deadLetterQueue = deadLetterQueue;
    return settings;
}

} // namespace

Settings builtInSettings()
{
    const QString jobs = u"jobs"_s;
    const QString telemetry = u"telemetry-ingest"_s;
    const QString jobsDead = u"jobs-dlq"_s;
    const QString telemetryDead = u"telemetry-dlq"_s;

    Settings settings;
    settings.consumers = {
        consumer(jobs, 10, 5'000, jobsDead),
        consumer(telemetry, 100, 500, telemetryDead),
        consumer(jobsDead, 5, 30'000, {}),
        consumer(telemetryDead, 5, 30'000, {}),
    };
    settings.producers = {{u"JOBS"_s, jobs, 0}, {u"TELEMETRY"_s, telemetry, 0}};
    settings.crons = {u"*/5 * * * *"_s};
    settings.jobsQueue = jobs;
    settings.telemetryQueue = telemetry;
    return settings;
}

} // namespace redrive
