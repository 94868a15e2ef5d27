#include "tests/config/config_support.h"

#include "core/base/result.h"
#include "core/config/defaults.h"

#include <QTest>

using namespace redrive;

namespace {

const QByteArray referenceToml = R"(name = "worker"
main = "src/index.ts"
compatibility_date = "2025-01-01"

[[queues.producers]]
binding = "JOBS"
queue = "jobs"

[[queues.consumers]]
queue = "jobs"
max_batch_size = 10
max_batch_timeout = 5
max_retries = 3
dead_letter_queue = "jobs-dlq"

[[queues.consumers]]
queue = "jobs-dlq"
max_batch_size = 5
max_batch_timeout = 30

[[d1_databases]]
binding = "DB"
database_name = "jobs"
database_id = "00000000-0000-0000-0000-000000000000"

[triggers]
crons = ["*/5 * * * *"]
)";

const QByteArray referenceJsonc = R"(// the same
{
  "$schema": "node_modules/wrangler/config-schema.json",
  "name": "worker",
  "main": "src/index.ts",
  "compatibility_date": "2025-01-01",
  "queues": {
    "producers": [{ "binding": "JOBS", "queue": "jobs" }],
    "consumers": [
      {
        "queue": "jobs", "max_batch_size": 10, "max_batch_timeout": 5, /* seconds */
        "max_retries": 3, "dead_letter_queue": "jobs-dlq", "max_concurrency": null,
      },
      { "queue": "jobs-dlq", "max_batch_size": 5, "max_batch_timeout": 30 },
    ],
  },
  "d1_databases": [
    { "binding": "DB", "database_name": "jobs", "database_id": "00000000-0000-0000-0000-000000000000" },
  ],
  "triggers": { "crons": ["*/5 * * * *"] },
}
)";

// A file with one consumer of `jobs` that has these further lines; they begin in line 6.
QByteArray withConsumer(const QByteArray& lines)
{
    return "[[queues.producers]]\nbinding = \"JOBS\"\nqueue = \"jobs\"\n[[queues.consumers]]\n"
           "queue = \"jobs\"\n" +
           lines +
           "\n[[queues.consumers]]\nqueue = \"d\"\n[[queues.consumers]]\nqueue = \"d2\"\ndead_letter_queue = "
           "\"d\"\n"
           "[redrive.consumers]\nd2 = { url = \"http://localhost/\" }\n";
}

} // namespace

class LoadSettingsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void readsTheReferenceSetUp()
    {
        const LoadResult result = loadToml(referenceToml);
        QCOMPARE(result.text(), QString());
        QVERIFY(result.ok);
        const Settings& settings = result.settings;
        QCOMPARE(settings.consumers.size(), 2);
        QCOMPARE(settings.consumers[0].maxBatchTimeoutMs, 5'000);
        QCOMPARE(settings.consumers[0].deadLetterQueue, u"jobs-dlq"_s);
        QVERIFY(!settings.consumers[0].retryDelayMs);
        QVERIFY(!settings.consumers[0].maxConcurrency);
        QCOMPARE(settings.consumers[1].maxBatchSize, 5);
        QCOMPARE(settings.consumers[1].maxBatchTimeoutMs, 30'000);
        QCOMPARE(settings.jobsQueue, u"jobs"_s);
        QCOMPARE(settings.telemetryQueue, QString());
        QCOMPARE(settings.databases[0].migrationsDir, u"/srv/app/migrations"_s);
        QCOMPARE(settings.databases[0].migrationsTable, u"d1_migrations"_s);
        QCOMPARE(settings.crons, QStringList{u"*/5 * * * *"_s});
        QCOMPARE(settings.queueNames(), (QStringList{u"jobs"_s, u"jobs-dlq"_s}));
    }

    void tomlAndJsoncGiveTheSame()
    {
        const LoadResult toml = loadToml(referenceToml);
        const LoadResult jsonc = loadJsonc("\xEF\xBB\xBF" + referenceJsonc);
        QCOMPARE(jsonc.text(), QString());
        QVERIFY(toml.settings == jsonc.settings);
    }

    void builtInDefault()
    {
        const LoadResult result = loadSettingsFromText({});
        QVERIFY(result.ok);
        QCOMPARE(result.text(), QString());
        const Settings& settings = result.settings;
        QVERIFY(settings == builtInSettings());
        QCOMPARE(settings.jobsQueue, u"jobs"_s);
        QCOMPARE(settings.telemetryQueue, u"telemetry-ingest"_s);
        QCOMPARE(settings.listen, u"127.0.0.1:8787"_s);
        QCOMPARE(settings.crons, QStringList{u"*/5 * * * *"_s});
        const auto* jobs = settings.consumer(u"jobs"_s);
        const auto* telemetry = settings.consumer(u"telemetry-ingest"_s);
        QCOMPARE(jobs->maxBatchSize, 10);
        QCOMPARE(jobs->maxBatchTimeoutMs, 5'000);
        QCOMPARE(jobs->maxRetries, 3);
        QCOMPARE(jobs->deadLetterQueue, u"jobs-dlq"_s);
        QCOMPARE(telemetry->maxBatchSize, 100);
        QCOMPARE(telemetry->maxBatchTimeoutMs, 500);
        QCOMPARE(telemetry->deadLetterQueue, u"telemetry-dlq"_s);
        for (const QString& queue : {u"jobs-dlq"_s, u"telemetry-dlq"_s}) {
            QVERIFY(settings.isDeadLetterQueue(queue));
            QCOMPARE(settings.consumer(queue)->maxBatchSize, 5);
            QCOMPARE(settings.consumer(queue)->maxBatchTimeoutMs, 30'000);
        }
    }

    void refusesWrongTypes_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("error");
        QTest::newRow("queues") << QByteArray("{\"queues\": []}")
                                << u"wrangler.jsonc:1:12: error: queues: must be a table, not an array"_s;
        QTest::newRow("consumers")
            << QByteArray("{\"queues\": {\"consumers\": null}}")
            << u"wrangler.jsonc:1:26: error: queues.consumers: must be an array of tables, not null"_s;
        QTest::newRow("no queue")
            << QByteArray("{\"queues\": {\"consumers\": [{\"max_retries\": 1}]}}")
            << u"wrangler.jsonc:1:27: error: queues.consumers[0].queue: is missing, it is required"_s;
        QTest::newRow("number for text")
            << QByteArray("{\"queues\": {\"consumers\": [{\"queue\": 7}]}}")
            << u"wrangler.jsonc:1:37: error: queues.consumers[0].queue: must be text, not an integer"_s;
        QTest::newRow("text for number")
            << QByteArray("{\"queues\": {\"consumers\": [{\"queue\": \"q\", \"max_retries\": \"3\"}]}}")
            << u"wrangler.jsonc:1:57: error: queues.consumers[0].max_retries: must be an integer from 0 to 100, not text"_s;
        QTest::newRow("text for table")
            << QByteArray("{\"queues\": {\"consumers\": [\"q\"]}}")
            << u"wrangler.jsonc:1:27: error: queues.consumers[0]: must be a table, not text"_s;
        QTest::newRow("empty name")
            << QByteArray("{\"queues\": {\"consumers\": [{\"queue\": \"\"}]}}")
            << u"wrangler.jsonc:1:37: error: queues.consumers[0].queue: is empty, text is needed"_s;
        QTest::newRow("NUL in name")
            << QByteArray("{\"queues\": {\"consumers\": [{\"queue\": \"a\\u0000\"}]}}")
            << u"wrangler.jsonc:1:37: error: queues.consumers[0].queue: holds control characters, one line of text is allowed"_s;
    }

    void refusesWrongTypes()
    {
        QFETCH(QByteArray, json);
        QFETCH(QString, error);
        const LoadResult result = loadJsonc(json);
        QVERIFY(!result.ok);
        QCOMPARE(errorsOf(result), QStringList{error});
    }

    void consumerValues_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("diagnostic"); // after file and place; empty: none
        const auto row = [](const char* line, const char* diagnostic) {
            QTest::addRow("%s", line) << QByteArray(line) << QString::fromUtf8(diagnostic);
        };
        row("max_batch_size = 1", "");
        row("max_batch_size = 100", "");
        row("max_batch_size = 10.0", "");
        row("max_batch_size = 0",
            "error: queues.consumers[0].max_batch_size: 0 is out of range, allowed are 1 to 100 messages");
        row("max_batch_size = 101",
            "error: queues.consumers[0].max_batch_size: 101 is out of range, allowed are 1 to 100 messages");
        row("max_batch_size = 1.5", "error: queues.consumers[0].max_batch_size: must be an integer from 1 to "
                                    "100 messages, not a fraction");
        row("max_batch_timeout = 0", "");
        row("max_batch_timeout = 60", "");
        row("max_batch_timeout = 61",
            "error: queues.consumers[0].max_batch_timeout: 61 is out of range, allowed are 0 to 60 seconds");
        row("max_batch_timeout = -1",
            "error: queues.consumers[0].max_batch_timeout: -1 is out of range, allowed are 0 to 60 seconds");
        row("max_batch_timeout = nan",
            "error: queues.consumers[0].max_batch_timeout: nan is out of range, allowed are 0 to 60 seconds");
        row("max_batch_timeout = 0.5",
            "notice: queues.consumers[0].max_batch_timeout: a fraction of a second");
        row("max_retries = 0", "");
        row("max_retries = 100", "");
        row("max_retries = 101",
            "error: queues.consumers[0].max_retries: 101 is out of range, allowed are 0 to 100");
        row("max_retries = true",
            "error: queues.consumers[0].max_retries: must be an integer from 0 to 100, not true or false");
        row("max_concurrency = 250", "");
        row("max_concurrency = 251",
            "error: queues.consumers[0].max_concurrency: 251 is out of range, allowed are 1 to 250");
        row("max_concurrency = 0",
            "error: queues.consumers[0].max_concurrency: 0 is out of range, allowed are 1 to 250");
        row("retry_delay = 0", "");
        row("retry_delay = 50_000", "");
        row("retry_delay = 86_400", "");
        row("retry_delay = 86_401",
            "error: queues.consumers[0].retry_delay: 86401 is out of range, allowed are 0 to 86400 seconds");
        row("retry_delay = 1.5", "error: queues.consumers[0].retry_delay: must be an integer from 0 to 86400 "
                                 "seconds, not a fraction");
        row("retry_delay = 1979-05-27", "error: queues.consumers[0].retry_delay: must be an integer from 0 "
                                        "to 86400 seconds, not a date or time");
        row("type = \"worker\"", "");
        row("type = \"http_pull\"", "warning: queues.consumers[0].type: http_pull: the queue stores, shows "
                                    "and purges its messages, and delivers nothing by itself");
        row("type = \"r2_bucket\"", "error: queues.consumers[0].type: \"r2_bucket\" is no type of consumer, "
                                    "allowed are worker and http_pull");
        row("visibility_timeout_ms = 43_200_001",
            "error: queues.consumers[0].visibility_timeout_ms: 43200001 is out of range, allowed are 0 to "
            "43200000 milliseconds");
        row("max_batch_sise = 3", "warning: queues.consumers[0].max_batch_sise: unknown key, it is ignored; "
                                  "known here are queue, type, max_batch_size,");
    }

    void consumerValues()
    {
        QFETCH(QByteArray, line);
        QFETCH(QString, diagnostic);
        const LoadResult result = loadToml(withConsumer("dead_letter_queue = \"d\"\n" + line));
        QString found;
        for (const Diagnostic& each : result.diagnostics) {
            if (each.line == 7 && found.isEmpty())
                found = each.text();
        }
        const int column = line.indexOf(" = ") + (line.startsWith("max_batch_sise") ? 0 : 4);
        const QString place = u"wrangler.toml:7:%1: "_s.arg(line.startsWith("max_batch_sise") ? 1 : column);
        QVERIFY2(diagnostic.isEmpty() ? found.isEmpty() : found.startsWith(place + diagnostic),
                 qPrintable(found));
        QCOMPARE(result.ok, !diagnostic.startsWith(u"error"_s));
    }

    void zeroAndFractionsAreValues()
    {
        const auto consumer = [](const QByteArray& lines) {
            return loadToml(withConsumer(lines)).settings.consumers[0];
        };
        QCOMPARE(consumer("max_batch_timeout = 0").maxBatchTimeoutMs, 0);
        QCOMPARE(consumer("max_batch_timeout = 0.25").maxBatchTimeoutMs, 250);
        QCOMPARE(consumer("max_batch_timeout = 59.9996").maxBatchTimeoutMs, 60'000);
        QCOMPARE(consumer("max_retries = 0").maxRetries, 0);
        QCOMPARE(consumer("retry_delay = 0").retryDelayMs, std::optional<qint64>(0));
        QCOMPARE(consumer("").retryDelayMs, std::nullopt);
        QCOMPARE(consumer("max_concurrency = 7").maxConcurrency, std::optional<int>(7));
        QCOMPARE(consumer("type = \"http_pull\"\nvisibility_timeout_ms = 43_200_000").visibilityTimeoutMs,
                 43'200'000);
        QVERIFY(consumer("type = \"http_pull\"").type == ConsumerType::HttpPull);
    }

    void tellsEverythingInOneRun()
    {
        const LoadResult result = loadToml("nmae = \"x\"\n"
                                           "[[queues.consumers]]\n"
                                           "queue = \"jobs\"\n"
                                           "max_batch_size = 1000\n"
                                           "max_retries = \"3\"\n"
                                           "retires = 1\n"
                                           "dead_letter_queue = \"jobs\"\n"
                                           "[triggers]\n"
                                           "crons = [\"*/5 * * * *\", \"0 22 * * 0\"]\n"
                                           "[redrive]\n"
                                           "workers = 0\n");
        const QStringList lines = result.text().split(u'\n');
        const QStringList begins{
            u"wrangler.toml:1:1: warning: nmae: unknown key"_s,
            u"wrangler.toml:4:18: error: queues.consumers[0].max_batch_size: 1000 is out of range"_s,
            u"wrangler.toml:5:15: error: queues.consumers[0].max_retries: must be an integer"_s,
            u"wrangler.toml:6:1: warning: queues.consumers[0].retires: unknown key"_s,
            u"wrangler.toml:7:21: error: queues.consumers[0].dead_letter_queue: a queue cannot be its own"_s,
            u"wrangler.toml:9:25: error: triggers.crons[1]: weekday: 0 is not allowed"_s,
            u"wrangler.toml:11:11: error: redrive.workers: 0 is out of range"_s,
        };
        for (const QString& begin : begins) {
            const bool found = std::any_of(lines.begin(), lines.end(),
                                           [&](const QString& line) { return line.startsWith(begin); });
            QVERIFY2(found, qPrintable(begin + u"\n in \n"_s + result.text()));
        }
        QVERIFY(!result.ok);
        QVERIFY(result.settings.crons.contains(u"*/5 * * * *"_s));
    }

    void refusesTwoConsumersOfAQueue()
    {
        const LoadResult result = loadToml(
            "[[queues.consumers]]\nqueue = \"my/ Queue\"\n[[queues.consumers]]\nqueue = \"my/ Queue\"\n");
        QCOMPARE(errorsOf(result), QStringList{u"wrangler.toml:4:9: error: queues.consumers[1].queue: the "
                                               u"queue \"my/ Queue\" has a consumer already, "
                                               "at wrangler.toml:2:9; one consumer per queue is allowed"_s});
    }

    void refusesABindingNameOfTwoKinds_data()
    {
        QTest::addColumn<QByteArray>("other");
        QTest::newRow("database") << QByteArray("[[d1_databases]]\nbinding = \"JOBS\"\n");
        QTest::newRow("kv") << QByteArray("[[kv_namespaces]]\nbinding = \"JOBS\"\n");
        QTest::newRow("var") << QByteArray("[vars]\nJOBS = 1\n");
        QTest::newRow("object") << QByteArray("[[durable_objects.bindings]]\nname = \"JOBS\"\n");
        QTest::newRow("producer") << QByteArray("[[queues.producers]]\nbinding = \"JOBS\"\nqueue = \"e\"\n");
    }

    void refusesABindingNameOfTwoKinds()
    {
        QFETCH(QByteArray, other);
        const LoadResult result =
            loadToml("[[queues.producers]]\nbinding = \"JOBS\"\nqueue = \"jobs\"\n" + other);
        const QStringList errors = errorsOf(result);
        QCOMPARE(errors.size(), 1);
        QVERIFY2(errors[0].contains(u"the binding name \"JOBS\" is taken already, at wrangler.toml:2:11"_s),
                 qPrintable(errors[0]));
        QVERIFY(errors[0].startsWith(u"wrangler.toml:5:"_s));
    }

    void warnsAboutConnections()
    {
        const LoadResult result = loadToml(
            "[[queues.producers]]\nbinding = \"A\"\nqueue = \"alone\"\ndelivery_delay = 60\nremote = true\n"
            "[[queues.producers]]\nbinding = \"B\"\nqueue = \"drops\"\n"
            "[[queues.consumers]]\nqueue = \"drops\"\n"
            "[[queues.consumers]]\nqueue = \"kept\"\ndead_letter_queue = \"nowhere\"\n");
        const QStringList expected{
            u"wrangler.toml: warning: the consumed queue \"drops\" has no handler: its messages wait until redrive.consumers gives it a command or a url"_s,
            u"wrangler.toml: warning: the consumed queue \"kept\" has no handler: its messages wait until redrive.consumers gives it a command or a url"_s,
            u"wrangler.toml:3:9: warning: queues.producers[0].queue: the queue \"alone\" has no consumer: its messages wait until one is declared"_s,
            u"wrangler.toml:4:18: warning: queues.producers[0].delivery_delay: Cloudflare ignores a producer's delivery_delay; here it is honoured as the queue's delivery delay"_s,
            u"wrangler.toml:9:1: warning: queues.consumers[0]: the consumer of \"drops\" has no dead_letter_queue: messages that use up their retries are dropped"_s,
            u"wrangler.toml:13:21: warning: queues.consumers[1].dead_letter_queue: nothing else declares the queue \"nowhere\"; it is created"_s,
        };
        QCOMPARE(result.text().split(u'\n'), expected);
        QVERIFY(result.ok);
        QCOMPARE(result.settings.producers[0].deliveryDelayMs, 60'000);
        QCOMPARE(result.settings.deliveryDelayMs(u"alone"_s), 60'000);
        QCOMPARE(result.settings.deliveryDelayMs(u"drops"_s), 0);
    }

    void allowsACycleOfDeadLetterQueues()
    {
        const LoadResult result =
            loadToml("[[queues.consumers]]\nqueue = \"a\"\ndead_letter_queue = \"b\"\n"
                     "[[queues.consumers]]\nqueue = \"b\"\ndead_letter_queue = \"a\"\n");
        QVERIFY2(result.ok, qPrintable(result.text()));
    }

    void severalDatabasesAreOneStore()
    {
        const LoadResult result = loadToml(
            "[[d1_databases]]\nbinding = \"A\"\nmigrations_dir = \"../m\"\nmigrations_table = \"t\"\n"
            "migrations_pattern = \"**/*.sql\"\npreview_database_id = \"x\"\n"
            "[[d1_databases]]\nbinding = \"B\"\nmigrations_dir = \"/abs/m\"\n");
        QVERIFY(result.ok);
        QCOMPARE(
            linesOf(result, Severity::Notice),
            QStringList{
                u"wrangler.toml:7:1: notice: d1_databases[1]: all 2 database bindings mean the one store of this engine"_s});
        QCOMPARE(result.settings.databases[0].migrationsDir, u"/srv/m"_s);
        QCOMPARE(result.settings.databases[0].migrationsTable, u"t"_s);
        QCOMPARE(result.settings.databases[0].migrationsPattern, u"**/*.sql"_s);
        QCOMPARE(result.settings.databases[1].migrationsDir, u"/abs/m"_s);
    }

    void ignoresThePlatformSilently()
    {
        const LoadResult result =
            loadToml("account_id = \"x\"\nworkers_dev = true\nroutes = [{ pattern = \"a\", zone_id = \"b\" "
                     "}]\ncompatibility_flags = [\"nodejs_compat\"]\n"
                     "compatibility_date = 2025-01-01\n"
                     "kv_namespaces = [{ binding = \"K\", id = \"1\" }]\nr2_buckets = []\nservices = "
                     "[]\n[vars]\nX = { a = [1] }\n[observability]\nenabled = true\n"
                     "[dev]\nport = 1\n[build]\ncommand = \"x\"\n[[migrations]]\ntag = "
                     "\"v1\"\n[placement]\nmode = \"smart\"\n[limits]\ncpu_ms = 1\n"
                     "[assets]\ndirectory = \"x\"\n[durable_objects]\nbindings = []\n" +
                     referenceToml.mid(referenceToml.indexOf("[[queues")));
        QCOMPARE(result.text(), QString());
    }

    void jobsQueueIsTheFirstThatSuits()
    {
        const LoadResult result =
            loadToml("[[queues.producers]]\nbinding = \"T\"\nqueue = \"telemetry-ingest\"\n"
                     "[[queues.producers]]\nbinding = \"D\"\nqueue = \"dead\"\n"
                     "[[queues.producers]]\nbinding = \"W\"\nqueue = \"work\"\n"
                     "[[queues.producers]]\nbinding = \"X\"\nqueue = \"other\"\n"
                     "[[queues.consumers]]\nqueue = \"work\"\ndead_letter_queue = \"dead\"\n");
        QCOMPARE(result.settings.jobsQueue, u"work"_s);
        QCOMPARE(result.settings.telemetryQueue, u"telemetry-ingest"_s);
        QCOMPARE(result.settings.queueNames(),
                 (QStringList{u"work"_s, u"dead"_s, u"telemetry-ingest"_s, u"other"_s}));
    }

    void jobsQueueWithoutProducers()
    {
        const LoadResult result =
            loadToml("[[queues.consumers]]\nqueue = \"work\"\ndead_letter_queue = \"dead\"\n");
        QCOMPARE(result.settings.jobsQueue, u"work"_s);
        QCOMPARE(linesOf(result, Severity::Notice).size(), 1);
        const LoadResult none = loadToml("name = \"x\"\n");
        QVERIFY(none.ok);
        QVERIFY(none.settings.jobsQueue.isEmpty());
        QVERIFY(none.text().contains(u"no queue takes jobs"_s));
    }
};

QTEST_APPLESS_MAIN(LoadSettingsTest)
#include "load_settings_test.moc"
