// POST /ingest and its like through a whole engine: who may, and what is in the queue afterwards.
#include "core/db/connection.h"
#include "core/engine/engine.h"
#include "core/intake/token_changes.h"
#include "tests/support/plain_client.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <future>
#include <thread>
#include <vector>

using namespace redrive;
using namespace Qt::Literals::StringLiterals;

namespace {

const QByteArray kJob = R"({"type":"nobody"})";
const QString kEvents =
    u"SELECT id FROM system_telemetry UNION ALL SELECT id FROM messages WHERE is_job = 0"_s;

// Several clients at once.
template <typename Request>
void crowd(int clients, int rounds, const Request& request)
{
    std::vector<std::thread> threads;
    for (int client = 0; client < clients; ++client)
        threads.emplace_back([&request, client, rounds] {
            for (int round = 0; round < rounds; ++round)
                request(client, round);
        });
    for (std::thread& thread : threads)
        thread.join();
}

} // namespace

class IngestTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Engine> m_engine;
    std::unique_ptr<test::PlainClient> m_client;
    EngineOptions m_options;

    void start()
    {
        m_engine.reset();
        auto engine = Engine::start(m_options);
        QVERIFY2(engine, engine ? "" : qPrintable(engine.error().text()));
        m_engine = std::move(*engine);
        m_client = std::make_unique<test::PlainClient>(m_engine->health().listenUrl);
    }
    // With a token that the configuration names.
    void startWithToken()
    {
        m_options.settings.ingestTokenSecret = u"AUTH_SECRET"_s;
        m_options.settings.secrets.insert(u"AUTH_SECRET"_s, "s3cret");
        start();
    }
    test::PlainAnswer post(const QByteArray& path, const QByteArray& body, const QByteArray& token,
                           const test::PlainClient::Headers& more = {}) const
    {
        test::PlainClient::Headers headers = more;
        if (!token.isEmpty())
            headers.append({"Authorization", "Bearer " + token});
        return m_client->post(path, body, headers);
    }
    int jobs(const QByteArray& token) const { return post("/jobs", kJob, token).status; }
    qint64 lagMs() const
    {
        const QByteArray name = "\nredrive_telemetry_lag_milliseconds ";
        const QByteArray metrics = m_client->get("/metrics").body;
        return metrics.mid(metrics.indexOf(name) + name.size()).split('\n').first().toLongLong();
    }
    int events(const QByteArray& token) const { return post("/ingest", "{}", token).status; }
    Result<TokenChanged> change(TokenVerb verb, const QString& name,
                                TokenScope opens = TokenScope::Everything, qint64 overlapMs = 0) const
    {
        std::promise<Result<TokenChanged>> answer;
        m_engine->changeToken({verb, name, {}, overlapMs, u"anna"_s, u"console"_s, opens},
                              [&](Result<TokenChanged> result) { answer.set_value(std::move(result)); });
        return answer.get_future().get();
    }
    QByteArray kept() const
    {
        QFile file(m_options.keptTokenFile);
        return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed() : QByteArray();
    }
    QStringList column(const QString& sql) const
    {
        const auto db = Connection::open(m_options.database, Access::Reader);
        auto query = (*db)->dynamicQuery(sql);
        QStringList texts;
        while (query.next())
            texts.append(query.text(0));
        return texts;
    }
    static QJsonValue in(const test::PlainAnswer& answer, const QString& key)
    {
        return QJsonDocument::fromJson(answer.body)[key];
    }

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_options = {};
        ConsumerSettings consumer;
        consumer.queue = u"jobs"_s;
        ProducerSettings producer;
        producer.queue = u"telemetry-ingest"_s; // nobody consumes it
        m_options.settings.consumers = {consumer};
        m_options.settings.producers = {producer};
        m_options.settings.jobsQueue = u"jobs"_s;
        m_options.settings.telemetryQueue = u"telemetry-ingest"_s;
        m_options.settings.listen = u"127.0.0.1:0"_s;
        m_options.database.path = m_folder->filePath(u"redrive.db"_s);
    }
    void cleanup() { m_engine.reset(); }

    void anEventIsAMessageByteForByte()
    {
        startWithToken();
        const qint64 beforeMs = QDateTime::currentMSecsSinceEpoch();
        const QByteArrayList bodies{"\r\n{ \"z\" : 18446744073709551615, \"a\":1.0 }\n",
                                    "\"\\u00e9 \xc3\xa9\"", R"({"source":5,"tenantId":{}})"};
        QStringList ids;
        for (const QByteArray& body : bodies) {
            const auto answer = post("/ingest", body, "s3cret");
            QCOMPARE(answer.status, 202);
            QCOMPARE(in(answer, u"status"_s).toString(), u"accepted"_s);
            ids.append(in(answer, u"eventId"_s).toString());
            QCOMPARE(ids.last().at(14), u'7');
        }
        QCOMPARE(
            column(u"SELECT id FROM messages WHERE queue = 'telemetry-ingest' AND is_job = 0 "
                   "AND content_type = 'json' AND size = length(CAST(body AS BLOB)) AND sent_at_ms >= %1 "
                   "ORDER BY seq"_s.arg(beforeMs)),
            ids);
        const auto db = Connection::open(m_options.database, Access::Reader);
        auto query = (*db)->dynamicQuery(u"SELECT CAST(body AS BLOB) FROM messages ORDER BY seq"_s);
        QByteArrayList stored;
        while (query.next())
            stored.append(query.bytes(0));
        QCOMPARE(stored, bodies);
    }

    void aBatchStoresItsGoodOnes()
    {
        startWithToken();
        QByteArray body;
        for (int i = 0; i < 500; ++i)
            body += i % 100 == 17 ? QByteArray("{\"n\":\n") : "{\"n\":" + QByteArray::number(i) + "}\n";
        const auto answer = post("/ingest/batch", body, "s3cret");
        QCOMPARE(answer.status, 202);
        QCOMPARE(in(answer, u"accepted"_s).toInt(), 495);
        QCOMPARE(in(answer, u"rejected"_s).toInt(), 5);
        QStringList ids;
        for (const auto& id : in(answer, u"eventIds"_s).toArray())
            ids.append(id.toString());
        QCOMPARE(column(u"SELECT id FROM messages ORDER BY seq"_s), ids);
        QCOMPARE(column(u"SELECT body FROM messages ORDER BY seq LIMIT 1 OFFSET 494"_s),
                 QStringList{u"{\"n\":499}"_s});
        const QByteArray metrics = m_client->get("/metrics").body;
        QVERIFY(metrics.contains("redrive_ingest_accepted_total{route=\"/ingest/batch\"} 495\n"));
        QVERIFY(metrics.contains("redrive_ingest_rejected_total{route=\"/ingest/batch\"} 5\n"));
    }

    void aKeyIsOneEvent()
    {
        startWithToken();
        const test::PlainClient::Headers key{{"Idempotency-Key", "k"}};
        const auto first = post("/ingest", "{\"a\":1}", "s3cret", key);
        const auto again = post("/ingest", "{\"a\":1}", "s3cret", key);
        QCOMPARE(again.status, 202);
        QCOMPARE(in(again, u"eventId"_s), in(first, u"eventId"_s));
        QVERIFY(in(again, u"duplicate"_s).toBool());
        const auto other = post("/ingest", "{\"a\":2}", "s3cret", key);
        QCOMPARE(other.status, 422);
        QCOMPARE(in(other, u"code"_s).toString(), u"idempotency_key_reused"_s);
        const auto batch = post("/ingest/batch", "{}\n01\n{}", "s3cret", key);
        const auto batchAgain = post("/ingest/batch", "{}\n01\n{}", "s3cret", key);
        QCOMPARE(in(batchAgain, u"eventIds"_s), in(batch, u"eventIds"_s));
        QCOMPARE(in(batchAgain, u"rejected"_s).toInt(), 1);
        QCOMPARE(column(u"SELECT id FROM messages"_s).size(), 3);
    }

    void aRowIsThereWhenSyncAnswers()
    {
        startWithToken();
        const QByteArray body = R"({"source":"metric","tenantId":"acme","n":9007199254740993})";
        const auto answer = post("/ingest/sync", body, "s3cret");
        QCOMPARE(answer.status, 201);
        QCOMPARE(in(answer, u"status"_s).toString(), u"stored"_s);
        QCOMPARE(
            column(u"SELECT id || ' ' || source || ' ' || tenant_id || ' ' || payload FROM "
                   "system_telemetry"_s),
            QStringList{in(answer, u"eventId"_s).toString() + u" metric acme "_s + QString::fromUtf8(body)});
        QCOMPARE(column(u"SELECT id FROM messages"_s), QStringList());
        const test::PlainClient::Headers key{{"Idempotency-Key", "k"}};
        const auto first = post("/ingest/sync", "{}", "s3cret", key);
        const auto again = post("/ingest/sync", "{}", "s3cret", key);
        QCOMPARE(again.status, 201);
        QCOMPARE(in(again, u"eventId"_s), in(first, u"eventId"_s));
        QCOMPARE(column(u"SELECT id FROM system_telemetry"_s).size(), 2);
    }

    // A row that is refused is so alone, however many share its commit, and says it in the database's words.
    void syncSaysWhatTheTableRefuses()
    {
        startWithToken();
        std::atomic<int> stored = 0;
        std::atomic<int> refused = 0;
        crowd(12, 5, [&](int client, int) {
            const bool bad = client % 3 == 0;
            const auto answer = post(bad || client % 2 ? "/ingest/sync" : "/ingest",
                                     bad ? R"({"source":"gossip"})" : "{}", "s3cret");
            stored += !bad && (answer.status == 201 || answer.status == 202);
            refused += bad && answer.status == 422 && answer.body.contains("CHECK constraint failed");
        });
        QCOMPARE(stored.load(), 40);
        QCOMPARE(refused.load(), 20);
        QCOMPARE(column(kEvents).size(), 40);
        const auto other = post("/ingest/sync", R"({"tenantId":[1]})", "s3cret");
        QCOMPARE(other.status, 422);
        QCOMPARE(in(other, u"code"_s).toString(), u"invalid_field"_s);
    }

    // A trigger of the user ends the whole turn: only the row that it refuses is refused.
    void aTriggerThatEndsTheTransactionHarmsNobodyElse()
    {
        startWithToken();
        QVERIFY((*Connection::open(m_options.database, Access::Writer))
                    ->execute(u"CREATE TRIGGER ends BEFORE INSERT ON system_telemetry WHEN "
                              "NEW.tenant_id = 'ender' BEGIN SELECT RAISE(ROLLBACK, 'not them'); END"_s));
        std::atomic<int> events = 0;
        std::atomic<int> stored = 0;
        std::atomic<int> refused = 0;
        std::atomic<int> wrong = 0;
        crowd(12, 4, [&](int client, int round) {
            if (client == 0 && round % 2 == 0) {
                const auto answer = post("/ingest/sync", R"({"tenantId":"ender"})", "s3cret");
                refused += answer.status == 422 && answer.body.contains("not them");
                return;
            }
            const bool job = client % 3 == 2;
            const auto answer = post(job               ? "/jobs"
                                     : client % 3 == 1 ? "/ingest"
                                                       : "/ingest/sync",
                                     job ? kJob : QByteArray("{}"), "s3cret");
            if (answer.status == 201 || answer.status == 202)
                ++(job ? stored : events);
            else
                wrong += answer.status != 503; // what came to nothing is to be sent again
        });
        QCOMPARE(wrong.load(), 0);
        QCOMPARE(refused.load(), 2);
        QCOMPARE(column(u"SELECT id FROM jobs"_s).size(), stored.load());
        QCOMPARE(column(kEvents).size(), events.load());
        QVERIFY(stored > 0 && events > 0);
    }

    void aFullQueueIsTooManyRequests()
    {
        m_options.settings.limits.backlogMessages = 3;
        startWithToken();
        QCOMPARE(post("/ingest/batch", "1\n2\n3\n4", "s3cret").status, 429); // all or none
        QCOMPARE(post("/ingest/batch", "1\n2\n3", "s3cret").status, 202);
        const auto refused = post("/ingest", "4", "s3cret");
        QCOMPARE(refused.status, 429);
        QCOMPARE(in(refused, u"code"_s).toString(), u"too_many_requests"_s);
        QVERIFY2(refused.head.contains("Retry-After: 1\r\n"), refused.head);
        QCOMPARE(jobs({}), 202); // a queue of its own
    }

    void withoutAQueueForJobsNoneIsTaken()
    {
        m_options.settings.jobsQueue.clear();
        startWithToken();
        const auto answer = post("/jobs", kJob, {});
        QCOMPARE(answer.status, 404);
        QCOMPARE(in(answer, u"code"_s).toString(), u"no_jobs_queue"_s);
        QVERIFY2(!answer.head.contains("Retry-After"), answer.head);
        QCOMPARE(events("s3cret"), 202);
    }

    void aTableThatIsGoneIsNamed()
    {
        ConsumerSettings writer;
        writer.queue = u"telemetry-ingest"_s;
        writer.maxBatchSize = 1;
        writer.maxConcurrency = 10;
        m_options.settings.consumers.append(writer);
        startWithToken();
        QTRY_VERIFY(m_client->get("/metrics")
                        .body.contains("\nredrive_queue_batches_limit{queue=\"telemetry-ingest\"} 1\n"));
        QVERIFY(m_engine->health().telemetry.consumed);
        QVERIFY(m_client->get("/metrics").body.contains("\nredrive_telemetry_lag_milliseconds 0\n"));
        QVERIFY(!m_client->get("/healthz").body.contains("telemetry"));
        QVERIFY((*Connection::open(m_options.database, Access::Writer))
                    ->execute(u"DROP TABLE system_telemetry"_s));
        const auto refused = post("/ingest/sync", "{}", "s3cret");
        QCOMPARE(refused.status, 503);
        QCOMPARE(in(refused, u"code"_s).toString(), u"not_stored"_s);
        QCOMPARE(in(refused, u"error"_s).toString(), u"no such table: system_telemetry"_s);
        QVERIFY2(refused.head.contains("Retry-After: 5\r\n"), refused.head);

        QCOMPARE(post("/ingest", "{}", "s3cret").status, 202);
        const QByteArray waits = "telemetry: events are kept and cannot be written to their table";
        QTRY_VERIFY(m_client->get("/healthz").body.contains(waits));
        QCOMPARE(m_client->get("/healthz").status, 200);
        QTRY_VERIFY(lagMs() > 0); // of what waits, and it grows
        const qint64 before = lagMs();
        QTRY_VERIFY(lagMs() > before);
    }

    // It has nothing to tell of its own.
    void whoOnlyLooksWritesNothing()
    {
        ConsumerSettings writer;
        writer.queue = u"telemetry-ingest"_s;
        m_options.settings.consumers.append(writer);
        start();
        QVERIFY(m_engine->health().telemetry.consumed);
        m_engine.reset();
        m_options.consume = false;
        m_options.listen = false;
        auto engine = Engine::start(m_options);
        QVERIFY2(engine, engine ? "" : qPrintable(engine.error().text()));
        m_engine = std::move(*engine);
        QVERIFY(!m_engine->health().telemetry.consumed);
    }

    void withoutAQueueNothingIsTaken()
    {
        m_options.settings.telemetryQueue.clear();
        m_options.keptTokenFile = keptTokenFile(m_folder->path());
        startWithToken();
        const auto answer = post("/ingest", "{}", "s3cret");
        QCOMPARE(answer.status, 404);
        QCOMPARE(in(answer, u"code"_s).toString(), u"no_telemetry_queue"_s);
        QVERIFY(!QFile::exists(m_options.keptTokenFile));
    }

    // Making one for events shuts no other door, and opens none.
    void eachTokenOpensWhatItIsFor()
    {
        startWithToken();
        QCOMPARE(jobs({}), 202);
        for (const QByteArray& wrong : {QByteArray(), QByteArray("other"), QByteArray("s3cre")})
            QCOMPARE(events(wrong), 401);
        QCOMPARE(events("s3cret"), 202);
        const QByteArray producer =
            change(TokenVerb::Create, u"app"_s, TokenScope::Ingest)->secret.toLatin1();
        QCOMPARE(jobs({}), 202);
        QCOMPARE(events(producer), 202);
        const QByteArray all = change(TokenVerb::Create, u"ops"_s)->secret.toLatin1();
        QCOMPARE(jobs({}), 401);
        QCOMPARE(jobs(all), 202);
        QCOMPARE(events(all), 202);
        QCOMPARE(events(producer), 202);
        QCOMPARE(jobs(producer), 401);
        QCOMPARE(jobs("s3cret"), 401);
        QVERIFY(change(TokenVerb::Revoke, u"app"_s));
        QCOMPARE(events(producer), 401);
    }

    void theSecretOfJobsOpensEventsToo()
    {
        m_options.settings.intakeTokenSecret = u"INTAKE"_s;
        m_options.settings.ingestTokenSecret = u"INTAKE"_s; // one secret for both
        m_options.settings.secrets.insert(u"INTAKE"_s, "both");
        m_options.keptTokenFile = keptTokenFile(m_folder->path());
        start();
        QCOMPARE(jobs("both"), 202);
        QCOMPARE(events("both"), 202);
        QVERIFY(!QFile::exists(m_options.keptTokenFile));
        m_options.settings.ingestTokenSecret.clear();
        start();
        QCOMPARE(events("both"), 202);
        QVERIFY(!QFile::exists(m_options.keptTokenFile));
    }

    void anEmptySecretIsAnError()
    {
        m_options.settings.ingestTokenSecret = u"AUTH_SECRET"_s;
        QCOMPARE(Engine::start(m_options).error().field, u"ingest_token"_s);
        m_options.settings.secrets.insert(u"AUTH_SECRET"_s, "");
        QCOMPARE(Engine::start(m_options).error().field, u"ingest_token"_s);
    }

    void theFirstStartMakesAToken()
    {
        m_options.keptTokenFile = keptTokenFile(m_folder->filePath(u"data"_s));
        start();
        const QByteArray secret = kept();
        QVERIFY(secret.startsWith("rdv_"));
        QCOMPARE(int(QFile::permissions(m_options.keptTokenFile)), 0x6600);
        QCOMPARE(events({}), 401);
        QCOMPARE(events(secret), 202);
        QCOMPARE(jobs({}), 202);
        start(); // it stays
        QCOMPARE(kept(), secret);
        QCOMPARE(events(secret), 202);
        QCOMPARE(change(TokenVerb::Show, u"ingest"_s)->secret.toLatin1(), secret);
        QCOMPARE(column(u"SELECT source || ': ' || verb || ' ' || target FROM audit ORDER BY 1"_s),
                 (QStringList{u"console: show token ingest"_s, u"first start: create token ingest"_s}));

        const auto rotated = change(TokenVerb::Rotate, u"ingest"_s, TokenScope::Everything, 3'600'000);
        QVERIFY(rotated);
        QVERIFY(!QFile::exists(m_options.keptTokenFile));
        QCOMPARE(events(secret), 202); // its overlap
        QCOMPARE(events(rotated->secret.toLatin1()), 202);
        QCOMPARE(jobs({}), 202);
        QCOMPARE(int(change(TokenVerb::Show, u"ingest"_s).error().kind), int(ErrorKind::NotFound));
        QVERIFY(change(TokenVerb::Revoke, u"ingest"_s));
        QCOMPARE(events(rotated->secret.toLatin1()), 401);
        start(); // and none is made again
        QVERIFY(!QFile::exists(m_options.keptTokenFile));
        QCOMPARE(events({}), 401);
        QCOMPARE(jobs({}), 202);
    }

    void aKeptSecretIsItsOwnersAlone()
    {
        m_options.keptTokenFile = keptTokenFile(m_folder->path());
        QFile before(m_options.keptTokenFile); // whatever is there, it is replaced
        QVERIFY(before.open(QIODevice::WriteOnly) && before.write("of another database") > 0);
        before.close();
        QFile::setPermissions(m_options.keptTokenFile, QFile::Permissions(0x6644));
        start();
        QCOMPARE(events(kept()), 202);
        QFile::setPermissions(m_options.keptTokenFile, QFile::Permissions(0x6644));
        QCOMPARE(int(change(TokenVerb::Show, u"ingest"_s).error().kind), int(ErrorKind::Refused));
    }

    void failuresShutNobodyElseOut()
    {
        startWithToken();
        for (int i = 0; i < 30; ++i) {
            const auto refused = post(i % 2 ? "/ingest" : "/ingest/batch", "{}", "wrong");
            QCOMPARE(refused.status, i < 10 ? 401 : 429);
            QCOMPARE(refused.head.contains("\r\nRetry-After: "), i >= 10);
            QCOMPARE(refused.head.contains("\r\nWWW-Authenticate: Bearer\r\n"), i < 10);
            QCOMPARE(events("s3cret"), 202);
        }
        QCOMPARE(jobs({}), 202);
        QCOMPARE(column(u"SELECT id FROM messages WHERE is_job = 0"_s).size(), 30);
    }
};

QTEST_GUILESS_MAIN(IngestTest)
#include "ingest_test.moc"
