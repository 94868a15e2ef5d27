#include "app/demo/demo_settings.h"

#include "app/demo/demo_endpoints.h"
#include "core/base/result.h"

namespace redrive {

namespace {

constexpr qint64 kBackoffBaseMs = 2'000;
constexpr qint64 kBackoffCapMs = 60'000;
constexpr qint64 kAlertWindowMs = 60'000;
constexpr qint64 kLettersMs = 15 * 60'000; // then they go into the archive

ConsumerSettings consumer(const QString& queue, int maxRetries, const QString& deadLetterQueue)
{
    ConsumerSettings settings;
    settings.queue = queue;
    settings.maxBatchTimeoutMs = 200;
    settings.maxRetries = maxRetries;
    settings.deadLetterQueue = deadLetterQueue;
    return settings;
}

ConsumerSettings telemetryConsumer()
{
    ConsumerSettings settings = consumer(u"telemetry-ingest"_s, 3, u"telemetry-dlq"_s);
    settings.maxBatchSize = 100;
    settings.maxBatchTimeoutMs = 500;
    return settings;
}

HandlerSettings shell(const QString& script, const QString& queue = {})
{
    HandlerSettings settings;
    settings.command = {u"/bin/sh"_s, u"-c"_s, script};
    settings.queue = queue;
    return settings;
}

HandlerSettings onQueue(const QString& queue)
{
    HandlerSettings settings;
    settings.queue = queue;
    return settings;
}

QString bucketKey()
{
    return u"DEMO_BUCKET_KEY"_s;
}

QString bucketSecret()
{
    return u"DEMO_BUCKET_SECRET"_s;
}

EndpointSettings endpoint(const QString& id, const QString& url)
{
    EndpointSettings settings;
    settings.id = id;
    settings.url = url;
    settings.events = {id == u"dead" ? u"order.*"_s : u"*"_s};
    if (id == u"good")
        settings.secrets = {demoSecretName()};
    return settings;
}

} // namespace

QByteArray demoIngestToken()
{
    return "demo-token-only-for-loopback";
}

Settings demoSettings(const DemoPlaces& places)
{
    Settings settings;
    settings.consumers = {consumer(u"jobs"_s, 2, u"jobs-dlq"_s),
                          consumer(u"mail"_s, 3, u"mail-dlq"_s),
                          telemetryConsumer(),
                          consumer(u"jobs-dlq"_s, 3, {}),
                          consumer(u"mail-dlq"_s, 3, {}),
                          consumer(u"telemetry-dlq"_s, 3, {})};
    settings.producers = {
        {u"JOBS"_s, u"jobs"_s, 0}, {u"MAIL"_s, u"mail"_s, 0}, {u"TELEMETRY"_s, u"telemetry-ingest"_s, 0}};
    settings.crons = {u"*/5 * * * *"_s};
    settings.jobsQueue = u"jobs"_s;
    settings.telemetryQueue = u"telemetry-ingest"_s;
    settings.ingestTokenSecret = u"AUTH_SECRET"_s;
    settings.secrets.insert(settings.ingestTokenSecret, demoIngestToken());
    settings.backoff = {kBackoffBaseMs, kBackoffCapMs, 0.1};
    settings.handlers = {
        {u"thumbnail"_s, shell(u"cat >/dev/null; sleep 0.2; echo '{\"width\":320,\"height\":200}'"_s)},
        {u"import"_s, shell(u"cat >/dev/null; case $$ in *[0-4]) echo 'row 17: the price is missing' >&2; "
                            "exit 1;; esac; echo '{\"rows\":120}'"_s)},
        {u"report"_s, shell(u"cat >/dev/null; echo 'connection to the report server refused' >&2; exit 1"_s)},
        {u"legacy_export"_s,
         shell(u"cat >/dev/null; echo 'this format is not written any more' >&2; exit 65"_s)},
        {u"newsletter"_s, shell(u"cat >/dev/null; case $$ in *[05]) echo 'mailbox full' >&2; exit 1;; esac; "
                                "echo sent"_s,
                                u"mail"_s)},
        {u"send_email"_s, onQueue(u"mail"_s)},
    };
    settings.smtpUrl = places.mailUrl;
    settings.smtpFrom = u"Demo Shop <shop@example.org>"_s;
    settings.processFileRoots = {places.filesFolder};
    settings.commands = {{u"count"_s, {u"/usr/bin/wc"_s, u"-l"_s}}};
    for (const QString& id : demoEndpoints())
        settings.endpoints.append(endpoint(id, places.endpointUrl(id)));
    settings.secrets.insert(demoSecretName(), demoSecret());
    settings.alerts.windowMs = kAlertWindowMs;
    settings.alerts.webhooks = {{AlertForm::Json, places.endpointUrl(u"alerts"_s), {}, {}}};
    if (places.archiveFolder.isEmpty())
        return settings;
    settings.retention.lettersMs = kLettersMs;
    settings.places.of.insert(u"retention.letters"_s, u"the demo"_s);
    settings.archive.dir = places.archiveFolder;
    settings.archive.s3 = ArchiveBucket{
        places.endpointUrl(u"bucket"_s), u"letters"_s, u"auto"_s, u"demo/"_s, bucketKey(), bucketSecret()};
    settings.secrets.insert(bucketKey(), "demo-key");
    settings.secrets.insert(bucketSecret(), "demo-secret-only-for-loopback");
    return settings;
}

} // namespace redrive
