#include "core/db/migrator.h"
#include "core/store/cancel_actions.h"
#include "core/store/delivery_read_store.h"
#include "core/store/delivery_store.h"
#include "core/store/job_read_store.h"
#include "core/store/job_status_json.h"
#include "core/store/letter_read_store.h"
#include "core/store/redrive_ledger_store.h"
#include "core/store/timer_read_store.h"
#include "tests/support/sql_steps.h"
#include "tests/support/test_store.h"

#include <QTest>

using namespace redrive;

namespace {

constexpr qint64 kNow = 1'900'000'000'000;

QByteArray statusOf(Connection& db, const QString& id)
{
    const auto json = jobStatusJson(db, id);
    if (!json)
        return json.error().text().toUtf8();
    return json->value_or("none");
}

} // namespace

class ReadStoresTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_store.emplace(kNow);
        m_store->execute(
            "INSERT INTO jobs (id, type, status, payload, queue, error, run, attempts, crashes, due_at_ms, "
            "created_at_ms, updated_at_ms, created_at, updated_at, reason) VALUES "
            "('wait', 'mail', 'pending', '{\"n\":9007199254740993}', 'jobs', 'line \"1\"\nline 2', 1, 2, 1, "
            "1900000040000, 1899999999123, 1899999999456, 1899999999, 1899999999, 'retry'), "
            "('done', 'webhook_fanout', 'done', '{}', 'jobs', NULL, 2, 1, 0, NULL, 1899999999123, "
            "1899999999456, "
            "1899999999, 1899999999, NULL), "
            "('busy', 'mail', 'processing', NULL, 'jobs', NULL, 1, 1, 0, NULL, 1899999999123, 1899999999456, "
            "1899999999, 1899999999, NULL)");
        m_store->execute("INSERT INTO job_results VALUES ('done', 1, 'old', 1), ('done', 2, ' "
                         "{\"b\":1.50,\"a\":[]} ', 2)");
        m_store->execute(
            "INSERT INTO job_attempts VALUES ('wait', 1, 1, 1, 10, 20, 'failed', 'x', 30), ('wait', 1, 2, "
            "1, 30, 40, 'crashed', NULL, 50), ('busy', 1, 0, 1, 1, 2, 'failed', NULL, NULL)");
        m_store->execute(
            "INSERT INTO messages (id, queue, is_job, size, sent_at_ms, visible_at_ms, attempts, "
            "lease_instance, claim_no, claimed_at_ms) VALUES ('busy', 'jobs', 1, 5, 1, 1, 1, 1, 7, 77)");
        m_store->execute(
            "INSERT INTO messages (id, queue, is_job, size, sent_at_ms, visible_at_ms, body) VALUES "
            "('message', 'q', 0, 3, 1, 1, x'00ff41')");
        m_store->execute(
            "INSERT INTO webhook_events (id, job_id, run, event_type, body, created_at_ms) VALUES ('e', "
            "'done', 1, 'paid', '{\"event\":\"paid\"}', 5)");
        m_store->execute(
            "INSERT INTO webhook_deliveries (id, endpoint_id, event_type, status, error, event_id, job_id, "
            "url, "
            "attempts, spent, budget, due_at_ms, created_at_ms, updated_at_ms, discarded) VALUES "
            "('d1', 'a', 'paid', 'delivered', NULL, 'e', 'done', 'https://a', 1, 1, 4, NULL, 5, 6, 0), "
            "('d2', 'b', 'paid', 'failed', 'HTTP 500', 'e', 'done', 'https://b', 2, 2, 4, 1900000001000, 5, "
            "7, 0), "
            "('d3', 'c', 'paid', 'dead', 'gone', 'e', 'done', 'https://c', 4, 4, 4, NULL, 5, 8, 0), "
            "('d4', 'd', 'paid', 'dead', 'gone', 'e', 'done', 'https://d', 4, 4, 4, NULL, 5, 8, 1)");
        m_store->execute(
            "INSERT INTO delivery_attempts (delivery_id, attempt, instance_no, url, started_at_ms, outcome, "
            "class, status_code, response_body, total_us) VALUES ('d2', 1, 1, 'https://b', 1, 'failed', "
            "'answered', 500, x'00ff', 1234), ('d2', 2, 1, 'https://b', 2, NULL, NULL, NULL, NULL, NULL)");
        m_store->execute(
            "INSERT INTO dead_letters (kind, subject_id, source_queue, type, endpoint_id, attempts, "
            "max_attempts, reason, error, body, sent_at_ms, dead_at_ms, changed_at_ms) VALUES "
            "('delivery', 'd3', NULL, 'paid', 'c', 4, 4, 'gone', 'gone', NULL, 1, 2, 3), "
            "('message', 'old-message', 'q', NULL, NULL, 4, 4, 'retries_used_up', NULL, x'4142', 1, 2, 3), "
            "('message', 'old-message', 'q', NULL, NULL, 4, 4, 'retries_used_up', NULL, x'4344', 1, 2, 4)");
    }

    void jobRows()
    {
        const auto rows = job_read_store::rows(m_store->db(), {2, 999, 1}, {{"jobs", 4}});
        QVERIFY(rows);
        QCOMPARE(rows->size(), 2);
        const JobRow& done = rows->at(0);
        QCOMPARE(done.id, QString("done"));
        QCOMPARE(done.status, JobStatus::Done);
        QCOMPARE(done.deliveries, 4);
        QCOMPARE(done.deliveriesOpen, 1);
        QCOMPARE(done.deliveriesDead, 1);
        QCOMPARE(done.run, 2);
        const JobRow& wait = rows->at(1);
        QCOMPARE(wait.key, 1);
        QCOMPARE(wait.type, QString("mail"));
        QCOMPARE(wait.queue, QString("jobs"));
        QCOMPARE(wait.maxAttempts, 5); // four, and one more for its crash
        QCOMPARE(wait.attempts, 2);
        QCOMPARE(wait.crashes, 1);
        QCOMPARE(wait.dueAtMs, std::optional<qint64>(1'900'000'040'000));
        QCOMPARE(wait.createdAtMs, 1'899'999'999'123);
        QCOMPARE(wait.updatedAtMs, 1'899'999'999'456);
        QCOMPARE(wait.reason, QString("retry"));
        QVERIFY(wait.otherStatus.isEmpty());
    }

    void errorsAreCutInLists()
    {
        auto update = m_store->db().dynamicQuery("UPDATE jobs SET error = ? WHERE id = 'wait'");
        QVERIFY(update.bind(QString(5'000, u'ü')).run());
        const auto row = job_read_store::row(m_store->db(), "wait", {});
        QVERIFY(row && *row);
        QCOMPARE((*row)->error, QString(300, u'ü'));
        QCOMPARE((*row)->payloadBytes, 22);
    }

    void attemptsOfAJob()
    {
        const auto wait = job_read_store::row(m_store->db(), "wait", {});
        const auto attempts = job_read_store::attempts(m_store->db(), **wait);
        QVERIFY(attempts);
        QCOMPARE(attempts->size(), 2);
        QCOMPARE(attempts->at(0).attempt, 2);
        QCOMPARE(attempts->at(0).outcome, QString("crashed"));
        QCOMPARE(attempts->at(1).nextAtMs, std::optional<qint64>(30));

        const auto busy = job_read_store::row(m_store->db(), "busy", {});
        const auto running = job_read_store::attempts(m_store->db(), **busy);
        QVERIFY(running);
        QCOMPARE(running->size(), 2);
        QCOMPARE(running->at(0).outcome, QString("running"));
        QCOMPARE(running->at(0).startedAtMs, 77);
        QVERIFY(!running->at(0).finishedAtMs);
    }

    void resultsAndPayloads()
    {
        QCOMPARE(*job_read_store::lastResult(m_store->db(), "done"), QString(" {\"b\":1.50,\"a\":[]} "));
        QVERIFY(job_read_store::lastResult(m_store->db(), "wait")->isEmpty());

        const auto whole = job_read_store::payload(m_store->db(), "wait", 0, 1'000);
        QVERIFY(whole && *whole);
        QCOMPARE((*whole)->bytes, QByteArray("{\"n\":9007199254740993}"));
        QCOMPARE((*whole)->totalBytes, 22);
        const auto piece = job_read_store::payload(m_store->db(), "wait", 5, 4);
        QCOMPARE((*piece)->bytes, QByteArray("9007"));
        QVERIFY((*job_read_store::payload(m_store->db(), "wait", 22, 4))->bytes.isEmpty());
        QCOMPARE((*job_read_store::payload(m_store->db(), "busy", 0, 4))->totalBytes, 0);
        QCOMPARE((*job_read_store::payload(m_store->db(), "message", 0, 9))->bytes, QByteArray("\0\xff"
                                                                                               "A",
                                                                                               3));
        QCOMPARE((*job_read_store::payload(m_store->db(), "old-message", 0, 9))->bytes, QByteArray("CD"));
        QVERIFY(!*job_read_store::payload(m_store->db(), "nobody", 0, 9));
    }

    void piecesOfUmlautsAreBytes()
    {
        auto update = m_store->db().dynamicQuery("UPDATE jobs SET payload = ? WHERE id = 'wait'");
        QVERIFY(update.bind(u"\"üü\""_s).run());
        const auto piece = job_read_store::payload(m_store->db(), "wait", 2, 2);
        QCOMPARE((*piece)->bytes, QByteArray("\xbc\xc3"));
        QCOMPARE((*piece)->totalBytes, 6);
    }

    void deliveries()
    {
        const auto rows = delivery_read_store::rows(m_store->db(), {3, 77, 2});
        QVERIFY(rows);
        QCOMPARE(rows->size(), 2);
        QCOMPARE(rows->at(0).status, DeliveryStatus::Dead);
        QCOMPARE(rows->at(1).dueAtMs, std::optional<qint64>(1'900'000'001'000));
        QCOMPARE(rows->at(1).url, QString("https://b"));
        const auto ofJob = delivery_read_store::ofJob(m_store->db(), "done");
        QVERIFY(ofJob);
        QCOMPARE(ofJob->size(), 4);
        QCOMPARE(ofJob->at(0).endpointId, QString("a"));
        const auto attempts = delivery_read_store::attempts(m_store->db(), "d2");
        QVERIFY(attempts);
        QCOMPARE(attempts->size(), 2);
        QVERIFY(attempts->at(0).outcome.isEmpty() && !attempts->at(0).statusCode);
        QCOMPARE(attempts->at(1).statusCode, std::optional<int>(500));
        QCOMPARE(attempts->at(1).responseBody, QByteArray("\0\xff", 2));
        QCOMPARE(*delivery_read_store::body(m_store->db(), "e"), QByteArray("{\"event\":\"paid\"}"));
    }

    void lettersAndTimers()
    {
        const auto letters = letter_read_store::rows(m_store->db(), {3, 9, 1});
        QVERIFY(letters);
        QCOMPARE(letters->size(), 2);
        QCOMPARE(letters->at(1).kind, LetterKind::Delivery);
        QCOMPARE(letters->at(1).endpointId, QString("c"));
        QCOMPARE((*letter_read_store::newestOf(m_store->db(), "old-message"))->key, 3);
        QVERIFY(!*letter_read_store::newestOf(m_store->db(), "nobody"));

        const auto timers = timer_read_store::rows(m_store->db(), {5, 2, 4}, {{"jobs", 4}});
        QVERIFY(timers);
        QCOMPARE(timers->size(), 2);
        QVERIFY(timers->at(0).isDelivery);
        QCOMPARE(timers->at(0).id, QString("d2"));
        QCOMPARE(timers->at(0).key, 5);
        QCOMPARE(timers->at(1).id, QString("wait"));
        QCOMPARE(timers->at(1).maxAttempts, 5);
    }

    void statusJson()
    {
        QCOMPARE(
            statusOf(m_store->db(), "wait"),
            QByteArray(
                "{\"id\":\"wait\",\"type\":\"mail\",\"status\":\"pending\",\"attempts\":2,\"error\":\"line "
                "\\\"1\\\"\\u000aline 2\",\"result\":null,\"createdAt\":1899999999123,\"updatedAt\":"
                "1899999999456,\"nextAttemptAt\":1900000040000}"));
        QCOMPARE(
            statusOf(m_store->db(), "done"),
            QByteArray(
                "{\"id\":\"done\",\"type\":\"webhook_fanout\",\"status\":\"done\",\"attempts\":1,\"error\":"
                "null,\"result\":{\"b\":1.50,\"a\":[]},\"createdAt\":1899999999123,\"updatedAt\":"
                "1899999999456,\"nextAttemptAt\":null,\"deliveries\":{\"total\":4,\"delivered\":1,"
                "\"pending\":0,\"sending\":0,\"failed\":1,\"held\":0,\"dead\":2,\"cancelled\":0}}"));
        QCOMPARE(statusOf(m_store->db(), "nobody"), QByteArray("none"));
        m_store->execute("UPDATE job_results SET content = 'plain \"text\"' WHERE run = 2");
        QVERIFY(statusOf(m_store->db(), "done").contains("\"result\":\"plain \\\"text\\\"\","));
        m_store->execute("UPDATE jobs SET run = 3 WHERE id = 'done'");
        QVERIFY(statusOf(m_store->db(), "done").contains("\"result\":null,"));
    }

    void rowsOfAUser()
    {
        QTemporaryDir folder;
        const DatabaseTarget target{folder.filePath("d1.sqlite")};
        {
            auto own = Connection::open(target, Access::Writer);
            QVERIFY((*own)->execute(
                "CREATE TABLE jobs (id TEXT PRIMARY KEY, type TEXT, status TEXT, payload, error, "
                "created_at, updated_at)"));
            QVERIFY((*own)->execute(
                "INSERT INTO jobs VALUES ('a', NULL, NULL, NULL, NULL, NULL, NULL), ('b', 5, "
                "'what?', x'00ff', x'fe', 'never', '2024-05-01 10:00:00'), ('c', 'x', 'pending', "
                "12345, 1, 1.5, -1), ('d', 'y', 'done', 2e300, '', 9e18, '1714557600')"));
            QVERIFY((*own)->execute(
                "CREATE TABLE webhook_deliveries (id TEXT PRIMARY KEY, endpoint_id TEXT, event_type "
                "TEXT, status TEXT, error TEXT, created_at)"));
            QVERIFY((*own)->execute(
                "INSERT INTO webhook_deliveries VALUES ('x', NULL, NULL, 'success', NULL, NULL)"));
        }
        auto store = openStore(target, Access::Writer, kNow);
        QVERIFY(store);
        const auto rows = job_read_store::rows(**store, {1, 2, 3, 4}, {});
        QVERIFY(rows);
        QCOMPARE(rows->size(), 4);
        QCOMPARE(rows->at(0).otherStatus, QString("(none)"));
        QCOMPARE(rows->at(0).createdAtMs, 0);
        QCOMPARE(rows->at(1).otherStatus, QString("what?"));
        QCOMPARE(rows->at(1).type, QString("5"));
        QCOMPARE(rows->at(1).updatedAtMs, 1'714'557'600'000);
        QCOMPARE(rows->at(2).createdAtMs, 1'500);
        QCOMPARE(rows->at(2).updatedAtMs, 0);
        QCOMPARE(rows->at(2).run, 1);
        QCOMPARE(rows->at(3).updatedAtMs, 1'714'557'600'000);
        QCOMPARE(
            statusOf(**store, "a"),
            QByteArray(
                "{\"id\":\"a\",\"type\":null,\"status\":null,\"attempts\":0,\"error\":null,\"result\":null,"
                "\"createdAt\":null,\"updatedAt\":null,\"nextAttemptAt\":null}"));
        QCOMPARE((*job_read_store::payload(**store, "c", 0, 100))->bytes, QByteArray("12345"));
        QCOMPARE((*job_read_store::payload(**store, "b", 0, 100))->bytes, QByteArray("\0\xff", 2));
        const auto deliveries = delivery_read_store::rows(**store, {1});
        QVERIFY(deliveries);
        QCOMPARE(deliveries->first().otherStatus, QString("success"));
    }

    // What is asked for again and again in turns costs the same however much else there is.
    void anOutcomeIsNotedWithoutReadingTheOthers()
    {
        const QStringList ids = addMany();
        Cycle cycle(m_store->db());
        cycle.nowMs = kNow;
        QVERIFY(test::sqlStepsOf([&] {
                    QVERIFY(redrive_ledger_store::noteSuccess(cycle, ids[700]));
                    QVERIFY(redrive_ledger_store::noteFailure(cycle, ids[800], "it broke"));
                }) < kFewSteps);
        QVERIFY(cycle.outcomesNoted);
        QVERIFY(test::sqlStepsOf(
                    [&] { QCOMPARE(*redrive_ledger_store::unsuccessful(m_store->db(), 1), 1); }) < kFewSteps);
        QCOMPARE(*redrive_ledger_store::waiting(m_store->db(), 1), kMany - 2);
    }

    void dueReplaysAreFoundWithoutReadingTheBacklog()
    {
        addMany();
        Cycle cycle(m_store->db());
        cycle.nowMs = kNow;
        QVERIFY(test::sqlStepsOf([&] {
                    const auto due = delivery_store::dueReplays(cycle, "many", 3);
                    QVERIFY(due && due->size() == 3);
                }) < kFewSteps);
        // Of every class, those of the first one first.
        m_store->execute("UPDATE webhook_deliveries SET send_class = 0 WHERE id = 'd1500'");
        m_store->execute("UPDATE webhook_deliveries SET send_class = 1 WHERE id = 'd1200'");
        const auto due = delivery_store::dueReplays(cycle, "many", 3);
        QVERIFY(due && due->size() == 3);
        QCOMPARE((*due)[0].id, QString("d1500"));
        QCOMPARE((*due)[1].id, QString("d1200"));
        QCOMPARE((*due)[2].id, QString("d1000"));
    }

    void whatCanBeCancelledIsFoundWithoutReadingTheEvents()
    {
        addMany();
        m_store->execute("UPDATE webhook_deliveries SET status = 'delivered', due_at_ms = NULL");
        m_store->execute("UPDATE webhook_deliveries SET status = 'failed', due_at_ms = 5 WHERE id = 'd1001'");
        m_store->execute("UPDATE webhook_deliveries SET status = 'held' WHERE id = 'd1002'");
        m_store->execute(
            "UPDATE webhook_deliveries SET status = 'sending', instance_no = 1 WHERE id = 'd1003'");
        m_store->execute(
            "UPDATE webhook_deliveries SET status = 'pending' WHERE id = 'd1004'"); // a user's own
        QVERIFY(test::sqlStepsOf([&] {
                    const auto open = cancel_actions::cancellableJobs(m_store->db());
                    QVERIFY(open);
                    QCOMPARE(*open, (QSet<QString>{"wait", "busy", "j1001", "j1002", "j1003", "j1004"}));
                }) < kFewSteps);
    }

private:
    static constexpr int kMany = 1'000;
    static constexpr qint64 kFewSteps = 700; // by far less than a step for each of them and its index

    // Replays of an endpoint's deliveries that one redrive began; their ids.
    QStringList addMany()
    {
        m_store->execute("INSERT INTO redrives (no, verb, scope, actor, source, created_at_ms) "
                         "VALUES (1, 'replay', 'all', 'anna', 'console', 1)");
        m_store->execute(
            QString("WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < %1) "
                    "INSERT INTO redrive_items (redrive_no, item_no, item_id, result, acted_id, outcome) "
                    "SELECT 1, i - 999, 'd' || i, 'ok', 'd' || i, 'waiting' FROM n")
                .arg(999 + kMany));
        m_store->execute("INSERT INTO webhook_events (id, job_id, run, event_type, body, created_at_ms) "
                         "SELECT replace(item_id, 'd', 'e'), replace(item_id, 'd', 'j'), 1, 'paid', '{}', 1 "
                         "FROM redrive_items");
        m_store->execute(
            "INSERT INTO webhook_deliveries (id, endpoint_id, event_type, status, event_id, job_id, "
            "due_at_ms, replay_of, send_class) SELECT item_id, 'many', 'paid', 'pending', "
            "replace(item_id, 'd', 'e'), replace(item_id, 'd', 'j'), item_no, 0, 2 FROM redrive_items");
        QStringList ids;
        for (int i = 0; i < kMany; ++i)
            ids.append(QString("d%1").arg(1'000 + i));
        return ids;
    }

    std::optional<test::TestStore> m_store;
};

QTEST_GUILESS_MAIN(ReadStoresTest)
#include "read_stores_test.moc"
