#include "core/engine/engine.h"
#include "core/jobs/job_runner.h"
#include "tests/support/http_receiver.h"
#include "tests/support/manual_clock.h"
#include "tests/support/plain_client.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace redrive;
using namespace Qt::Literals::StringLiterals;

namespace {

class Count final : public BlockingHandler
{
public:
    HandlerOutcome run(const ClaimedJob&, const StopSignal&) override
    {
        ++runs;
        return {};
    }
    std::atomic<int> runs = 0;
};

// Runs until it is asked to stop.
class Endless final : public BlockingHandler
{
public:
    HandlerOutcome run(const ClaimedJob&, const StopSignal& stop) override
    {
        ++begun;
        while (!stop.requested)
            std::this_thread::yield();
        HandlerOutcome outcome;
        outcome.result = HandlerResult::Cancelled;
        return outcome;
    }
    std::atomic<int> begun = 0;
};

// Hears nothing until it is let go.
class Deaf final : public BlockingHandler
{
public:
    HandlerOutcome run(const ClaimedJob&, const StopSignal&) override
    {
        ++begun;
        while (!letGo)
            std::this_thread::yield();
        ++ended;
        return {};
    }
    std::atomic<int> begun = 0;
    std::atomic<int> ended = 0;
    std::atomic<bool> letGo = false;
};

} // namespace

class EngineTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_number = 0;

    EngineOptions options()
    {
        EngineOptions options;
        ConsumerSettings consumer;
        consumer.queue = u"jobs"_s;
        consumer.maxBatchTimeoutMs = 0;
        consumer.deadLetterQueue = u"jobs-dlq"_s;
        options.settings.consumers = {consumer};
        options.settings.jobsQueue = u"jobs"_s;
        options.settings.listen = u"127.0.0.1:0"_s;
        options.database.path = m_folder.filePath(u"%1.db"_s.arg(++m_number));
        options.drainMs = 300;
        return options;
    }

    static std::unique_ptr<Engine> started(EngineOptions options)
    {
        auto engine = Engine::start(std::move(options));
        if (!engine)
            qFatal("%s", qPrintable(engine.error().text()));
        return std::move(*engine);
    }

    static QByteArray status(const test::PlainClient& client, const QByteArray& id)
    {
        return QJsonDocument::fromJson(client.get("/jobs/" + id).body)[u"status"_s].toString().toUtf8();
    }

    static QByteArray idOf(const test::PlainAnswer& answer)
    {
        return QJsonDocument::fromJson(answer.body)[u"jobId"_s].toString().toUtf8();
    }

private Q_SLOTS:
    void takesAJobOverHttpAndRunsIt()
    {
        auto count = std::make_shared<Count>();
        EngineOptions o = options();
        o.addHandlers = [count](HandlerRegistry& r) {
            r.add(u"count"_s, std::static_pointer_cast<BlockingHandler>(count));
        };
        const auto engine = started(o);
        const test::PlainClient client(engine->health().listenUrl);
        const test::PlainAnswer accepted =
            client.post("/jobs", R"({"type":"count","payload":{"n":9007199254740993}})");
        QCOMPARE(accepted.status, 202);
        const QByteArray id = idOf(accepted);
        QTRY_COMPARE(status(client, id), "done");
        QCOMPARE(count->runs.load(), 1);
        QCOMPARE(client.get("/jobs/nothing").status, 404);
        QCOMPARE(client.get("/healthz").status, 200);
        const QByteArray metrics = client.get("/metrics").body;
        QVERIFY2(metrics.contains("redrive_jobs_done_total 1\n"), metrics);
    }

    void anIdempotencyKeyMakesOneJob()
    {
        const auto engine = started(options());
        const test::PlainClient client(engine->health().listenUrl);
        const QByteArray body = R"({"type":"x","payload":1})";
        const test::PlainAnswer first = client.post("/jobs", body, {{"Idempotency-Key", "k"}});
        const test::PlainAnswer second = client.post("/jobs", body, {{"Idempotency-Key", "k"}});
        QCOMPARE(second.status, 202);
        QCOMPARE(idOf(second), idOf(first));
        QVERIFY(second.body.contains("\"duplicate\":true"));
        QCOMPARE(client.post("/jobs", R"({"type":"x","payload":2})", {{"Idempotency-Key", "k"}}).status, 422);
        QVERIFY(idOf(client.post("/jobs", body, {{"Idempotency-Key", "K"}})) != idOf(first));
    }

    void aFullQueueIsTooManyRequests()
    {
        EngineOptions o = options();
        o.settings.consumers.first().queue = u"my/ \"Queue\""_s;
        o.settings.consumers.first().type = ConsumerType::HttpPull;
        o.settings.jobsQueue = u"my/ \"Queue\""_s;
        o.settings.limits.backlogMessages = 2;
        const auto engine = started(o);
        const test::PlainClient client(engine->health().listenUrl);
        const QByteArray body = R"({"type":"x","payload":1})";
        const QByteArray first = idOf(client.post("/jobs", body, {{"Idempotency-Key", "k"}}));
        QCOMPARE(client.post("/jobs", body).status, 202);
        const test::PlainAnswer full = client.post("/jobs", body);
        QCOMPARE(full.status, 429);
        QVERIFY2(full.head.contains("Retry-After: 1\r\n"), full.head);
        QVERIFY2(full.body.contains("\"code\":\"too_many_requests\""), full.body);
        QCOMPARE(idOf(client.post("/jobs", body, {{"Idempotency-Key", "k"}})), first); // it is there already
        const QByteArray label = "{queue=\"my/ \\\"Queue\\\"\"}";
        const QByteArray metrics = client.get("/metrics").body;
        QVERIFY2(metrics.contains("redrive_queue_backlog" + label + " 2\n"), metrics);
        QVERIFY2(metrics.contains("redrive_queue_waiting" + label + " 2\n"), metrics);
    }

    void tellsWhatEachQueueDoes()
    {
        EngineOptions o = options();
        o.addHandlers = [](HandlerRegistry& r) { r.add(u"count"_s, std::make_shared<Count>()); };
        const auto engine = started(o);
        const test::PlainClient client(engine->health().listenUrl);
        const QByteArray id = idOf(client.post("/jobs", R"({"type":"count","payload":1})"));
        client.post("/jobs", R"({"type":"unknown","payload":1})");
        QTRY_VERIFY(client.get("/metrics").body.contains(R"(redrive_queue_failed_total{queue="jobs"} 1)"));
        QTRY_COMPARE(status(client, id), "done");
        QTRY_VERIFY(client.get("/metrics").body.contains(R"(redrive_queue_done_total{queue="jobs"} 1)"));
        QVERIFY(client.get("/metrics").body.contains(R"(redrive_queue_batches_limit{queue="jobs"} 1)"));
    }

    void oldJobsAndMessagesGo()
    {
        auto clock = std::make_shared<test::ManualClock>();
        EngineOptions o = options();
        o.clock = clock;
        o.addHandlers = [](HandlerRegistry& r) { r.add(u"count"_s, std::make_shared<Count>()); };
        ConsumerSettings pulled;
        pulled.queue = u"pulled"_s;
        pulled.type = ConsumerType::HttpPull;
        o.settings.consumers.append(pulled);
        o.settings.handlers.insert(u"later"_s, HandlerSettings{{}, {}, u"pulled"_s, {}, {}});
        o.settings.queues[u"pulled"_s].retentionMs = 60'000;
        const auto engine = started(o);
        const test::PlainClient client(engine->health().listenUrl);
        const QByteArray done = idOf(client.post("/jobs", R"({"type":"count","payload":1})"));
        const QByteArray waits = idOf(client.post("/jobs", R"({"type":"later","payload":1})"));
        QTRY_COMPARE((clock->advance(1), status(client, done)), "done");
        QCOMPARE(status(client, waits), "pending");
        clock->advance(60'000);
        QTRY_COMPARE((clock->advance(1), status(client, waits)), "dead");
        clock->advance(8 * 86'400'000LL);
        QTRY_COMPARE((clock->advance(5'000), client.get("/jobs/" + done).status), 404);
    }

    void fansOutAndShowsTheDeliveries()
    {
        test::HttpReceiver receiver;
        const auto engine = started(options());
        const test::PlainClient client(engine->health().listenUrl);
        const QByteArray url = receiver.url().toUtf8();
        const QByteArray id =
            idOf(client.post("/jobs", R"({"type":"webhook_fanout","payload":{"eventType":"a.b",)"
                                      R"("eventData":{},"endpoints":[{"id":"one","url":")" +
                                          url + R"("},{"id":"two","url":")" + url + R"("}]}})"));
        QTRY_COMPARE(
            QJsonDocument::fromJson(client.get("/jobs/" + id).body)[u"deliveries"_s][u"delivered"_s].toInt(),
            2);
        QCOMPARE(receiver.arrivals().size(), 2);
    }

    void aSoftStopLetsRunningJobsEndAndAHardOneReleasesThem_data()
    {
        QTest::addColumn<bool>("hard");
        QTest::newRow("soft, longer than the drain") << false;
        QTest::newRow("hard") << true;
    }
    void aSoftStopLetsRunningJobsEndAndAHardOneReleasesThem()
    {
        QFETCH(bool, hard);
        auto endless = std::make_shared<Endless>();
        EngineOptions o = options();
        o.addHandlers = [endless](HandlerRegistry& r) {
            r.add(u"endless"_s, std::static_pointer_cast<BlockingHandler>(endless));
        };
        auto engine = started(o);
        const test::PlainClient client(engine->health().listenUrl);
        const QByteArray id = idOf(client.post("/jobs", R"({"type":"endless","payload":{}})"));
        QTRY_COMPARE(endless->begun.load(), 1);
        engine->stop(hard ? StopMode::Hard : StopMode::Soft);
        engine->stop();
        QVERIFY(!engine->health().running);
        engine.reset();

        auto count = std::make_shared<Count>();
        o.addHandlers = [count](HandlerRegistry& r) {
            r.add(u"endless"_s, std::static_pointer_cast<BlockingHandler>(count));
        };
        engine = started(o);
        const test::PlainClient again(engine->health().listenUrl);
        QTRY_COMPARE(status(again, id), "done");
        const QJsonDocument job = QJsonDocument::fromJson(again.get("/jobs/" + id).body);
        QCOMPARE(job[u"attempts"_s].toInt(), 1); // the released attempt was not counted
    }

    void aHandlerThatHearsNothingHoldsUpNobody()
    {
        const auto clock = std::make_shared<test::ManualClock>();
        const auto deaf = std::make_shared<Deaf>();
        EngineOptions o = options();
        o.clock = clock;
        o.addHandlers = [deaf](HandlerRegistry& r) {
            r.add(u"deaf"_s, std::static_pointer_cast<BlockingHandler>(deaf));
        };
        auto engine = started(o);
        const test::PlainClient client(engine->health().listenUrl);
        client.post("/jobs", R"({"type":"deaf","payload":{}})");
        QTRY_COMPARE(deaf->begun.load(), 1);
        clock->advance(kDefaultTimeLimitMs + JobRunner::kGiveUpAfterLimitMs);
        QTRY_COMPARE(engine->health().threadsGivenUp, 1);
        QVERIFY(engine->health().notices.join(u' ').contains(u"of type 'deaf'"));
        QVERIFY(client.get("/metrics").body.contains("\nredrive_threads_given_up 1\n"));
        QCOMPARE(client.get("/healthz").status, 200);
        engine->stop();
        QVERIFY(engine->leftThreadsBehind());
        engine.reset();
        deaf->letGo = true; // it ends after its engine
        QTRY_COMPARE(deaf->ended.load(), deaf->begun.load());
    }

    void aReadOnlyProfileChangesNoToken()
    {
        EngineOptions o = options();
        o.readOnly = u"prod"_s;
        const auto engine = started(o);
        QString refused;
        engine->changeToken({}, [&refused](const Result<TokenChanged>& changed) {
            refused = changed ? u"changed"_s : changed.error().text();
        });
        QCOMPARE(refused, u"the profile 'prod' is read-only"_s);
    }

    void aTakenPortIsAClearError()
    {
        const auto engine = started(options());
        EngineOptions other = options();
        other.settings.listen = engine->health().listenUrl.mid(7);
        const auto second = Engine::start(other);
        QVERIFY(!second);
        QVERIFY(second.error().kind == ErrorKind::Conflict);
    }

    void aStoreThatCannotBeOpenedIsAClearError()
    {
        EngineOptions o = options();
        o.database.path = m_folder.filePath(u"nowhere/at/all.db"_s);
        const auto engine = Engine::start(std::move(o));
        QVERIFY(!engine);
        QVERIFY2(engine.error().text().contains(u"all.db"_s), qPrintable(engine.error().text()));
    }

    void twoEnginesOnOneStoreRunEachJobOnce()
    {
        auto count = std::make_shared<Count>();
        EngineOptions o = options();
        o.addHandlers = [count](HandlerRegistry& r) {
            r.add(u"count"_s, std::static_pointer_cast<BlockingHandler>(count));
        };
        const auto one = started(o);
        const auto two = started(o);
        const test::PlainClient first(one->health().listenUrl);
        const test::PlainClient second(two->health().listenUrl);
        QByteArrayList ids;
        for (int i = 0; i < 200; ++i)
            ids.append(idOf((i % 2 ? first : second).post("/jobs", R"({"type":"count","payload":{}})")));
        for (const QByteArray& id : ids)
            QTRY_COMPARE(status(first, id), "done");
        QCOMPARE(count->runs.load(), 200);
    }
};

QTEST_GUILESS_MAIN(EngineTest)
#include "engine_test.moc"
