// Idempotency keys and batches over HTTP, through a whole engine (E1).
#include "core/db/connection.h"
#include "core/engine/engine.h"
#include "tests/support/plain_client.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include <latch>
#include <thread>

using namespace redrive;
using namespace Qt::Literals::StringLiterals;

namespace {

const QByteArray kBody = R"({"type":"nobody","payload":1})";
constexpr int kClients = 100;

} // namespace

class IdempotencyTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_number = 0;
    std::unique_ptr<Engine> m_engine;
    std::unique_ptr<test::PlainClient> m_client;
    DatabaseTarget m_target;

    test::PlainAnswer post(const QByteArray& key, const QByteArray& body = kBody,
                           const QByteArray& path = "/jobs") const
    {
        return m_client->post(path, body, {{"Idempotency-Key", key}});
    }
    static QString idOf(const test::PlainAnswer& answer)
    {
        return QJsonDocument::fromJson(answer.body)[u"jobId"_s].toString();
    }
    static bool isDuplicate(const test::PlainAnswer& answer)
    {
        return QJsonDocument::fromJson(answer.body)[u"duplicate"_s].toBool();
    }
    qint64 number(const QString& sql) const
    {
        const auto db = Connection::open(m_target, Access::Reader);
        auto query = (*db)->dynamicQuery(sql);
        return query.next() ? query.int64(0) : -1;
    }
    void execute(const QString& sql) const
    {
        const auto db = Connection::open(m_target, Access::Writer);
        QVERIFY((*db)->execute(sql));
    }

private Q_SLOTS:
    void init()
    {
        EngineOptions options;
        ConsumerSettings consumer;
        consumer.queue = u"jobs"_s;
        options.settings.consumers = {consumer};
        options.settings.jobsQueue = u"jobs"_s;
        options.settings.queues[u"jobs"_s].paused = true; // the jobs stay as they are
        options.settings.listen = u"127.0.0.1:0"_s;
        m_target.path = m_folder.filePath(u"%1.db"_s.arg(++m_number));
        options.database = m_target;
        auto engine = Engine::start(std::move(options));
        QVERIFY(engine);
        m_engine = std::move(*engine);
        m_client = std::make_unique<test::PlainClient>(m_engine->health().listenUrl);
    }
    void cleanup() { m_engine.reset(); }

    void aHundredAtOnceMakeOneJob_data()
    {
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<int>("jobs");
        QTest::newRow("one job") << QByteArray("/jobs") << kBody << 1;
        QTest::newRow("a batch") << QByteArray("/jobs/batch") << "[" + kBody + "," + kBody + "]" << 2;
    }
    void aHundredAtOnceMakeOneJob()
    {
        QFETCH(QByteArray, path);
        QFETCH(QByteArray, body);
        QFETCH(int, jobs);
        std::vector<test::PlainAnswer> answers(kClients);
        std::vector<std::thread> clients;
        std::latch together(kClients);
        for (test::PlainAnswer& answer : answers)
            clients.emplace_back([&] {
                together.arrive_and_wait();
                answer = post("same", body, path);
            });
        for (std::thread& client : clients)
            client.join();
        QSet<QByteArray> ids;
        int duplicates = 0;
        for (const test::PlainAnswer& answer : answers) {
            QCOMPARE(answer.status, 202);
            const QJsonDocument json = QJsonDocument::fromJson(answer.body);
            ids.insert(json[u"jobId"_s].toString().toUtf8() +
                       QJsonDocument(json[u"jobIds"_s].toArray()).toJson());
            duplicates += isDuplicate(answer);
        }
        QCOMPARE(ids.size(), 1);
        QCOMPARE(duplicates, kClients - 1);
        QCOMPARE(number(u"SELECT count(*) FROM jobs"_s), jobs);
        QCOMPARE(number(u"SELECT count(*) FROM messages"_s), jobs);
    }

    void keysAreComparedByteByByte()
    {
        QSet<QString> ids;
        for (const QByteArray& key :
             {QByteArray("key"), QByteArray("KEY"), QByteArray("key\xc2\xa0"), QByteArray("k\xc3\xa9y"),
              QByteArray("ke\xcc\x81y"), QByteArray("k ey")}) {
            const test::PlainAnswer answer = post(key);
            QCOMPARE(answer.status, 202);
            QVERIFY2(!isDuplicate(answer), key);
            ids.insert(idOf(answer));
        }
        QCOMPARE(ids.size(), 6);
        // Spaces around a field's value are not part of it (RFC 9110, 5.5).
        QVERIFY(isDuplicate(post("key  ")));
    }

    void anotherBodyIsRefused()
    {
        const test::PlainAnswer first = post("k");
        for (int i = 0; i < 3; ++i) {
            const test::PlainAnswer other = post("k", R"({"type":"nobody","payload":2})");
            QCOMPARE(other.status, 422);
            QCOMPARE(QJsonDocument::fromJson(other.body)[u"code"_s].toString(), u"idempotency_key_reused"_s);
        }
        QCOMPARE(idOf(post("k")), idOf(first));
    }

    void anotherRouteIsAnotherKey()
    {
        QCOMPARE(post("k").status, 202);
        const test::PlainAnswer batch = post("k", kBody, "/jobs/batch");
        QCOMPARE(batch.status, 202);
        QVERIFY(!isDuplicate(batch));
        QVERIFY(isDuplicate(post("k", kBody, "/")));
    }

    void theKeyOutlivesItsJob_data()
    {
        QTest::addColumn<QString>("change");
        QTest::newRow("dead") << u"UPDATE jobs SET status = 'dead'"_s;
        QTest::newRow("deleted") << u"DELETE FROM jobs"_s;
    }
    void theKeyOutlivesItsJob()
    {
        QFETCH(QString, change);
        const QString id = idOf(post("k"));
        execute(u"DELETE FROM messages"_s);
        execute(change);
        const test::PlainAnswer again = post("k");
        QCOMPARE(again.status, 202);
        QCOMPARE(idOf(again), id);
        QVERIFY(isDuplicate(again));
        QCOMPARE(number(u"SELECT count(*) FROM messages"_s), 0);
    }

    void aBatchIsStoredInOrder()
    {
        const test::PlainAnswer answer =
            m_client->post("/jobs/batch", "{\"type\":\"a\"}\n{\"type\":\"b\",\"payload\":1.0}\n");
        QCOMPARE(answer.status, 202);
        const QJsonArray ids = QJsonDocument::fromJson(answer.body)[u"jobIds"_s].toArray();
        QCOMPARE(ids.size(), 2);
        for (const int i : {0, 1}) {
            const test::PlainAnswer job = m_client->get("/jobs/" + ids[i].toString().toUtf8());
            QCOMPARE(QJsonDocument::fromJson(job.body)[u"type"_s].toString(), i == 0 ? u"a"_s : u"b"_s);
        }
        QCOMPARE(number(u"SELECT count(*) FROM jobs WHERE payload = '1.0'"_s), 1);
        QVERIFY(m_client->get("/metrics").body.contains("redrive_jobs_accepted_total 2\n"));
    }
};

QTEST_GUILESS_MAIN(IdempotencyTest)
#include "idempotency_test.moc"
