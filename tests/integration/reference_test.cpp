// The reference set-up: a user's wrangler.toml and migrations as they are, from the file to a dead letter and
// back. Real HTTP and real programs; time is the test's own.
#include "app/place.h"
#include "core/engine/engine.h"
#include "tests/support/http_receiver.h"
#include "tests/support/manual_clock.h"
#include "tests/support/plain_client.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <future>

using namespace redrive;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 kBatchMs = 5'000;        // of job-queue
constexpr qint64 kLetterBatchMs = 30'000; // of job-queue-dlq
constexpr auto kPatience = std::chrono::seconds(20);

void copyFolder(const QString& from, const QString& to)
{
    QDir().mkpath(to);
    const QFileInfoList entries = QDir(from).entryInfoList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot);
    for (const QFileInfo& entry : entries) {
        const QString target = to + u'/' + entry.fileName();
        if (entry.isDir())
            copyFolder(entry.filePath(), target);
        else if (!QFile::copy(entry.filePath(), target))
            qFatal("%s cannot be copied", qPrintable(entry.filePath()));
    }
}

template <typename T>
Result<T> answerOf(const std::function<void(Reply<T>)>& ask)
{
    auto answer = std::make_shared<std::promise<Result<T>>>();
    std::future<Result<T>> future = answer->get_future();
    ask([answer](Result<T> result) { answer->set_value(std::move(result)); });
    if (future.wait_for(kPatience) != std::future_status::ready)
        qFatal("the engine did not answer");
    return future.get();
}

} // namespace

class ReferenceTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::shared_ptr<test::ManualClock> m_clock;
    Place m_place;
    std::unique_ptr<Engine> m_engine;

    QString path(const QString& name) const { return m_folder->filePath(name); }
    void write(const QString& name, const QByteArray& content) const
    {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(content), content.size());
    }

    // The place of a worker's file, its data beside it; what opening it says.
    void open(const QString& configFile, const QString& dataFolder, QStringList& notices)
    {
        Invocation invocation;
        invocation.configFile = path(configFile);
        invocation.dataFolder = path(dataFolder);
        const auto place = findPlace(invocation);
        QVERIFY2(place, qPrintable(place ? QString() : place.error().detail));
        m_place = *place;
        const auto made = openForWork(m_place, notices);
        QVERIFY2(made, qPrintable(made ? QString() : made.error().text()));
    }

    void start()
    {
        EngineOptions options;
        options.settings = m_place.settings;
        options.settings.listen = u"127.0.0.1:0"_s;
        options.database = m_place.target;
        options.clock = m_clock;
        auto engine = Engine::start(std::move(options));
        QVERIFY2(engine, qPrintable(engine ? QString() : engine.error().text()));
        m_engine = std::move(*engine);
    }

    test::PlainClient client() const { return test::PlainClient(m_engine->health().listenUrl); }

    QString submit(const QByteArray& body) const
    {
        const test::PlainAnswer answer = client().post("/", body);
        if (answer.status != 202)
            qFatal("%d %s", answer.status, answer.body.constData());
        return QJsonDocument::fromJson(answer.body)[u"jobId"_s].toString();
    }
    QJsonObject job(const QString& id) const
    {
        return QJsonDocument::fromJson(client().get("/jobs/" + id.toLatin1()).body).object();
    }
    QString status(const QString& id) const { return job(id)[u"status"_s].toString(); }

    JobDetail detail(const QString& id) const
    {
        return *answerOf<JobDetail>([&](auto reply) { m_engine->jobDetail(id, std::move(reply)); });
    }
    // The first column of the first row, read beside the engine.
    QString stored(const QString& statement) const
    {
        const auto db = openExisting(m_place, Access::Reader);
        auto query = (*db)->dynamicQuery(statement);
        return query.next() ? query.text(0) : QString();
    }

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        copyFolder(QStringLiteral(REFERENCE_FOLDER), m_folder->path());
        write(u"redrive.toml"_s, "[handlers.thumbnail]\ncommand = [\"cat\"]\n"
                                 "[handlers.report]\ncommand = [\"/bin/sh\", \"" +
                                     path(u"report.sh"_s).toUtf8() + "\", \"" + path(u"outage"_s).toUtf8() +
                                     "\"]\n");
        QStringList notices;
        open(u"wrangler.toml"_s, u"data"_s, notices);
        QCOMPARE(notices, QStringList{u"new database: applied the migrations 0001_create_jobs.sql, "
                                      u"0002_create_webhook_deliveries.sql"_s});
        m_clock = std::make_shared<test::ManualClock>();
    }
    void cleanup() { m_engine.reset(); }

    void takesTheFileAndTheTablesAsTheyAre()
    {
        const Settings& settings = m_place.settings;
        QCOMPARE(settings.consumers.size(), 2);
        const ConsumerSettings& jobs = settings.consumers[0];
        QCOMPARE(jobs.queue, u"job-queue"_s);
        QCOMPARE(jobs.maxBatchSize, 10);
        QCOMPARE(jobs.maxBatchTimeoutMs, kBatchMs);
        QCOMPARE(jobs.maxRetries, 3);
        QCOMPARE(jobs.deadLetterQueue, u"job-queue-dlq"_s);
        const ConsumerSettings& letters = settings.consumers[1];
        QCOMPARE(letters.queue, u"job-queue-dlq"_s);
        QCOMPARE(letters.maxBatchSize, 5);
        QCOMPARE(letters.maxBatchTimeoutMs, kLetterBatchMs);
        QCOMPARE(settings.jobsQueue, u"job-queue"_s);
        QCOMPARE(settings.crons, QStringList{u"*/5 * * * *"_s});

        QCOMPARE(stored(u"SELECT count(*) FROM d1_migrations"_s), u"2"_s);
        QCOMPARE(stored(u"SELECT count(*) FROM sqlite_master WHERE name IN ('idx_jobs_status', "
                        "'idx_jobs_type_status', 'idx_webhook_deliveries_status', "
                        "'idx_webhook_deliveries_endpoint')"_s),
                 u"4"_s);
        QCOMPARE(stored(u"SELECT group_concat(name) FROM (SELECT name FROM pragma_table_info('jobs') "
                        "LIMIT 7)"_s),
                 u"id,type,status,payload,error,created_at,updated_at"_s);
    }

    void takesAJobAndRunsIt()
    {
        start();
        const QString id =
            submit(R"({"type":"thumbnail","payload":{"key":"a.png","size":9007199254740993}})");
        QCOMPARE(status(id), u"pending"_s);
        m_clock->advance(kBatchMs);
        QTRY_COMPARE(status(id), u"done"_s);
        const QJsonObject done = job(id);
        QCOMPARE(done[u"attempts"_s].toInt(), 1);
        QVERIFY(done[u"error"_s].isNull());
        QVERIFY(done[u"nextAttemptAt"_s].isNull());
        QVERIFY(client().get("/jobs/" + id.toLatin1()).body.contains(R"("size":9007199254740993)"));
        QCOMPARE(stored(u"SELECT status || ' ' || payload FROM jobs"_s),
                 uR"(done {"key":"a.png","size":9007199254740993})"_s);
        QCOMPARE(stored(u"SELECT updated_at FROM jobs"_s), QString::number(m_clock->wallMs() / 1000));
    }

    void retriesAfterTenTwentyAndFortySecondsThenDiesAndIsRequeued()
    {
        start();
        write(u"outage"_s, {});
        const QString id = submit(R"({"type":"report","payload":{"month":"2025-02"}})");
        m_clock->advance(kBatchMs);
        int attempt = 1;
        for (const qint64 pauseMs : {10'000, 20'000, 40'000}) {
            QTRY_VERIFY(job(id)[u"attempts"_s].toInt() == attempt && status(id) == u"pending"_s);
            const QJsonObject waiting = job(id);
            const qint64 pause = waiting[u"nextAttemptAt"_s].toInteger() - m_clock->wallMs();
            QVERIFY2(pause >= pauseMs && pause <= pauseMs + pauseMs / 10, qPrintable(QString::number(pause)));
            QVERIFY(waiting[u"error"_s].toString().contains(u"the printing service is down"_s));
            m_clock->advance(pause + kBatchMs);
            ++attempt;
        }
        QTRY_COMPARE(status(id), u"dead"_s);
        QCOMPARE(job(id)[u"attempts"_s].toInt(), 4);

        // Not one attempt began before its time.
        const JobDetail dead = detail(id);
        QCOMPARE(dead.attempts.size(), 4);
        for (qsizetype i = 0; i + 1 < dead.attempts.size(); ++i)
            QVERIFY(dead.attempts[i].startedAtMs >= dead.attempts[i + 1].nextAtMs.value());
        QVERIFY(dead.letter);
        QCOMPARE(dead.letter->reason, QString(u"retries_used_up"_s));
        QCOMPARE(dead.letter->sourceQueue, u"job-queue"_s);
        QCOMPARE(dead.letter->deadLetterQueue, u"job-queue-dlq"_s);

        // The consumer of the dead-letter queue takes the copy and leaves the letter.
        const QString copies = u"SELECT count(*) FROM messages WHERE queue = 'job-queue-dlq'"_s;
        QCOMPARE(stored(copies), u"1"_s);
        m_clock->advance(kLetterBatchMs);
        QTRY_COMPARE(stored(copies), u"0"_s);
        QVERIFY(detail(id).letter->state == LetterState::Open);

        QVERIFY(QFile::remove(path(u"outage"_s)));
        ActionRequest request;
        request.verb = ActionVerb::Requeue;
        request.scope.ids = {id};
        request.actor = u"tester"_s;
        request.source = u"console"_s;
        const auto requeued =
            answerOf<ActionResult>([&](auto reply) { m_engine->act(request, std::move(reply)); });
        QVERIFY2(requeued, qPrintable(requeued ? QString() : requeued.error().text()));
        QCOMPARE(requeued->succeeded, 1);
        QTRY_COMPARE(status(id), u"done"_s); // without waiting for a batch
        const JobDetail done = detail(id);
        QCOMPARE(done.job.run, 2);
        QCOMPARE(done.job.attempts, 1);
        QCOMPARE(done.attempts.size(), 5);
        QVERIFY(done.letter->state == LetterState::Requeued);
        QVERIFY(job(id)[u"error"_s].isNull());
        QCOMPARE(stored(u"SELECT count(*) FROM audit WHERE verb = 'requeue' AND actor = 'tester'"_s), u"1"_s);
    }

    void fansOutIntoTheUsersTable()
    {
        test::HttpReceiver receiver;
        receiver.answer("/down", test::ReceiverAnswer::status(500, "out of order"));
        start();
        const QByteArray base = receiver.url({}).toUtf8();
        const QString id = submit(R"({"type":"webhook_fanout","payload":{"eventType":"order.created",)"
                                  R"("eventData":{"order":17},"endpoints":[{"id":"good","url":")" +
                                  base + R"(/good"},{"id":"bad","url":")" + base + R"(/down"}]}})");
        m_clock->advance(kBatchMs);
        QTRY_COMPARE(status(id), u"done"_s);
        QTRY_COMPARE(job(id)[u"deliveries"_s][u"delivered"_s].toInt(), 1);
        QTRY_COMPARE(job(id)[u"deliveries"_s][u"failed"_s].toInt(), 1);
        QCOMPARE(stored(u"SELECT group_concat(line) FROM (SELECT endpoint_id || ' ' || event_type || ' ' || "
                        "status AS line FROM webhook_deliveries ORDER BY endpoint_id)"_s),
                 u"bad order.created failed,good order.created delivered"_s);
        m_clock->advance(11'000);
        QVERIFY(receiver.waitForArrivals(2, "/down"));
        QCOMPARE(receiver.arrivalCount("/good"), 1);
    }

    // An ingest worker's own file, its secret in .dev.vars beside it, and nothing added to either.
    void takesEventsAsAFileOfTelemetrySays()
    {
        write(u"telemetry/.dev.vars"_s, "AUTH_SECRET=\"kept-out-of-the-file\"\n");
        QStringList notices;
        open(u"telemetry/wrangler.jsonc"_s, u"telemetry-data"_s, notices);
        const ConsumerSettings* consumer = m_place.settings.consumer(u"telemetry-ingest"_s);
        QVERIFY(consumer);
        QCOMPARE(consumer->maxBatchSize, 100);
        QCOMPARE(consumer->maxBatchTimeoutMs, 500);
        QCOMPARE(consumer->maxRetries, 3);
        QCOMPARE(consumer->deadLetterQueue, u"telemetry-dlq"_s);
        start();

        const auto send = [&](const QByteArray& event, const QByteArray& token) {
            return client().post("/ingest", event, {{"Authorization", "Bearer " + token}});
        };
        const QByteArray good = R"({"source":"metric","tenantId":"acme","bytes":18446744073709551615})";
        QCOMPARE(send(good, "another").status, 401);
        const test::PlainAnswer answer = send(good, "kept-out-of-the-file");
        QCOMPARE(answer.status, 202);
        const QString id = QJsonDocument::fromJson(answer.body)[u"eventId"_s].toString();
        QCOMPARE(send(R"({"source":"gossip"})", "kept-out-of-the-file").status, 202);
        QCOMPARE(stored(u"SELECT count(*) FROM system_telemetry"_s), u"0"_s);
        m_clock->advance(500);
        QTRY_COMPARE(stored(u"SELECT id || ' ' || source || ' ' || tenant_id || ' ' || payload FROM "
                            "system_telemetry"_s),
                     id + u" metric acme "_s + QString::fromUtf8(good));
        QTRY_COMPARE(stored(u"SELECT count(*) FROM dead_letters WHERE state = 'open' AND source_queue = "
                            "'telemetry-ingest' AND dead_letter_queue = 'telemetry-dlq'"_s),
                     u"1"_s);
    }

    // Nor will another try be taken: it is no matter of load.
    void saysThatNoQueueTakesJobs()
    {
        QStringList notices;
        open(u"telemetry/wrangler.jsonc"_s, u"telemetry-data"_s, notices);
        start();
        const QByteArray job = R"({"type":"report","payload":{}})";
        for (const auto& [target, body] :
             {std::pair<QByteArray, QByteArray>{"/jobs", job},
              std::pair<QByteArray, QByteArray>{"/jobs/batch", '[' + job + ']'}}) {
            const test::PlainAnswer answer = client().post(target, body);
            QCOMPARE(answer.status, 404);
            const QJsonObject said = QJsonDocument::fromJson(answer.body).object();
            QCOMPARE(said[u"code"_s].toString(), u"no_jobs_queue"_s);
            QCOMPARE(said[u"error"_s].toString(),
                     u"No queue takes jobs: name a producer in the configuration, queues.producers."_s);
            QVERIFY(!answer.head.toLower().contains("retry-after"));
        }
        QCOMPARE(stored(u"SELECT count(*) FROM jobs"_s), u"0"_s);
    }

    void sweepsAtTheStartAndEveryFiveMinutes()
    {
        start();
        const QString causes = u"SELECT group_concat(cause) FROM (SELECT cause FROM sweeps ORDER BY no)"_s;
        QTRY_COMPARE(stored(causes), u"start"_s);
        m_clock->advance(300'000);
        QTRY_COMPARE(stored(causes), u"start,cron"_s);
    }
};

QTEST_GUILESS_MAIN(ReferenceTest)
#include "reference_test.moc"
