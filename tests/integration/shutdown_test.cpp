// An engine that starts and stops within one process, idle and in the middle of everything: no job is lost,
// no thread or descriptor stays, and Qt has nothing to complain about.
#include "core/engine/engine.h"
#include "tests/integration/process_figures.h"
#include "tests/integration/qt_warnings.h"
#include "tests/support/http_receiver.h"
#include "tests/support/plain_client.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <thread>

using namespace redrive;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kRounds = 50;
constexpr int kHeldMs = 4'000; // a stop with held requests: drain, then the hard stop
constexpr int kMostOpenCalls = 60;

class Quick final : public BlockingHandler
{
public:
    HandlerOutcome run(const ClaimedJob&, const StopSignal&) override { return {}; }
};

QString idOf(const QByteArray& body)
{
    return QJsonDocument::fromJson(body)[u"jobId"_s].toString();
}

// A fan-out job to that many endpoints, all of them the receiver.
QByteArray fanOut(const test::HttpReceiver& receiver, int endpoints)
{
    QJsonArray list;
    for (int i = 0; i < endpoints; ++i)
        list.append(QJsonObject{{u"id"_s, u"e%1"_s.arg(i)}, {u"url"_s, receiver.url()}});
    const QJsonObject payload{
        {u"eventType"_s, u"a.b"_s}, {u"eventData"_s, QJsonObject()}, {u"endpoints"_s, list}};
    return QJsonDocument(QJsonObject{{u"type"_s, u"webhook_fanout"_s}, {u"payload"_s, payload}}).toJson();
}

} // namespace

class ShutdownTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<test::QtWarnings> m_warnings;

    EngineOptions options(qint64 drainMs = 10'000) const
    {
        EngineOptions options;
        ConsumerSettings consumer;
        consumer.queue = u"jobs"_s;
        consumer.maxBatchTimeoutMs = 0;
        options.settings.consumers = {consumer};
        options.settings.jobsQueue = u"jobs"_s;
        options.settings.listen = u"127.0.0.1:0"_s;
        options.database.path = m_folder->filePath(u"redrive.db"_s);
        options.drainMs = drainMs;
        options.addHandlers = [](HandlerRegistry& registry) {
            registry.add(u"quick"_s, std::static_pointer_cast<BlockingHandler>(std::make_shared<Quick>()));
        };
        return options;
    }

    static std::unique_ptr<Engine> started(EngineOptions options)
    {
        auto engine = Engine::start(std::move(options));
        if (!engine)
            qFatal("%s", qPrintable(engine.error().text()));
        return std::move(*engine);
    }

    qint64 number(const QString& statement) const
    {
        const auto db = Connection::open({m_folder->filePath(u"redrive.db"_s)}, Access::Reader);
        auto query = (*db)->dynamicQuery(statement);
        return query.next() ? query.int64(0) : -1;
    }

    // What an ended engine leaves behind: nothing held, nothing half done.
    void verifyNothingIsHeld() const
    {
        QCOMPARE(number(u"SELECT count(*) FROM instances WHERE ended_at_ms IS NULL"_s), 0);
        QCOMPARE(number(u"SELECT count(*) FROM messages WHERE lease_instance IS NOT NULL OR claim_no IS NOT "
                        "NULL"_s),
                 0);
        QCOMPARE(number(u"SELECT count(*) FROM jobs WHERE status = 'processing'"_s), 0);
        QCOMPARE(number(u"SELECT count(*) FROM webhook_deliveries WHERE status = 'sending' OR instance_no IS "
                        "NOT NULL"_s),
                 0);
        QCOMPARE(number(u"SELECT count(*) FROM delivery_attempts WHERE outcome IS NULL"_s), 0);
        QCOMPARE(number(u"SELECT count(*) FROM jobs j WHERE (status = 'pending') <> EXISTS (SELECT 1 FROM "
                        "messages m WHERE m.id = j.id)"_s),
                 0);
    }

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_warnings = std::make_unique<test::QtWarnings>();
    }
    void cleanup()
    {
        const QStringList warnings = m_warnings->take();
        m_warnings.reset();
        QCOMPARE(warnings, QStringList());
    }

    void startsAndStopsWithoutLeavingAnything()
    {
        int descriptors = 0;
        int threads = 0;
        for (int round = 0; round <= kRounds; ++round) {
            {
                const auto engine = started(options());
                const test::PlainClient client(engine->health().listenUrl);
                QCOMPARE(client.post("/jobs", R"({"type":"quick","payload":1})").status, 202);
                engine->stop(round % 2 ? StopMode::Hard : StopMode::Soft);
            }
            if (round == 0) { // what libraries keep for good is there now
                descriptors = test::openDescriptors();
                threads = test::runningThreads();
            }
        }
        QTRY_COMPARE(test::runningThreads(), threads);
        QCOMPARE(test::openDescriptors(), descriptors);
        QCOMPARE(number(u"SELECT count(*) FROM jobs"_s), kRounds + 1);
        verifyNothingIsHeld();
    }

    void aStartThatFailsLeavesNothingEither()
    {
        const auto first = started(options());
        EngineOptions taken = options();
        taken.settings.listen = first->health().listenUrl.mid(7);
        QVERIFY(!Engine::start(taken));
        const int descriptors = test::openDescriptors();
        const int threads = test::runningThreads();
        for (int round = 0; round < 10; ++round)
            QVERIFY(!Engine::start(taken));
        QTRY_COMPARE(test::runningThreads(), threads);
        QCOMPARE(test::openDescriptors(), descriptors);
        first->stop();
        verifyNothingIsHeld();
    }

    void stopsWhileRequestsAreInFlight_data()
    {
        QTest::addColumn<bool>("hard");
        QTest::newRow("soft") << false;
        QTest::newRow("hard") << true;
    }
    void stopsWhileRequestsAreInFlight()
    {
        QFETCH(bool, hard);
        QSet<QString> accepted;
        for (int round = 0; round < 5; ++round) {
            const auto engine = started(options());
            const test::PlainClient client(engine->health().listenUrl);
            std::mutex mutex; // guards accepted, strange
            QByteArrayList strange;
            std::atomic<int> answers = 0;
            std::vector<std::thread> clients;
            for (int i = 0; i < 4; ++i)
                clients.emplace_back([&] {
                    for (;;) {
                        const test::PlainAnswer answer =
                            client.post("/jobs", R"({"type":"quick","payload":1})");
                        ++answers;
                        std::lock_guard lock(mutex);
                        if (answer.status == 202) {
                            accepted.insert(idOf(answer.body));
                            continue;
                        }
                        const bool refused = answer.status == 503 && answer.body.contains("shutting_down") &&
                                             answer.head.contains("Connection: close");
                        if (!refused && answer.status != 0)
                            strange.append(answer.head + answer.body);
                        if (!refused)
                            return; // nobody listens any more
                    }
                });
            const bool busy = QTest::qWaitFor([&] { return answers > 20; });
            engine->stop(hard ? StopMode::Hard : StopMode::Soft);
            for (std::thread& thread : clients)
                thread.join();
            QVERIFY(busy);
            QCOMPARE(strange, QByteArrayList());
            verifyNothingIsHeld();
        }
        const auto db = Connection::open({m_folder->filePath(u"redrive.db"_s)}, Access::Reader);
        QSet<QString> stored;
        auto query = (*db)->dynamicQuery(u"SELECT id FROM jobs"_s);
        while (query.next())
            stored.insert(query.text(0));
        QCOMPARE(accepted - stored, QSet<QString>());
    }

    void aStopDuringFanOutSendsEachDeliveryOnceMore()
    {
        test::HttpReceiver receiver;
        receiver.answer("/hook", test::ReceiverAnswer::status(200).hold());
        QString id;
        {
            const auto engine = started(options(200));
            const test::PlainClient client(engine->health().listenUrl);
            id = idOf(client.post("/jobs", fanOut(receiver, 8)).body);
            QVERIFY(receiver.waitForArrivals(8));
            QElapsedTimer timer;
            timer.start();
            engine->stop();
            QVERIFY2(timer.elapsed() < kHeldMs, qPrintable(QString::number(timer.elapsed())));
        }
        verifyNothingIsHeld();
        QCOMPARE(number(u"SELECT sum(spent) FROM webhook_deliveries"_s), 0);
        receiver.release();
        const auto engine = started(options());
        QVERIFY(receiver.waitForArrivals(16));
        const test::PlainClient client(engine->health().listenUrl);
        QTRY_COMPARE(number(u"SELECT count(*) FROM webhook_deliveries WHERE status = 'delivered'"_s), 8);
        QSet<QByteArray> eventIds;
        for (const test::ReceivedRequest& arrival : receiver.arrivals())
            eventIds.insert(arrival.header("webhook-id"));
        QCOMPARE(eventIds.size(), 1);
        QCOMPARE(receiver.arrivalCount(), 16);
    }

    void aSoftStopWaitsForTheAnswersOfAFanOut()
    {
        test::HttpReceiver receiver;
        receiver.answer("/hook", test::ReceiverAnswer::status(200).hold());
        {
            const auto engine = started(options());
            const test::PlainClient client(engine->health().listenUrl);
            QCOMPARE(client.post("/jobs", fanOut(receiver, 3)).status, 202);
            QVERIFY(receiver.waitForArrivals(3));
            std::thread stopping([&] { engine->stop(); });
            const bool refuses =
                QTest::qWaitFor([&] { return client.post("/jobs", "{}").status == 503; }, 5'000);
            receiver.release();
            stopping.join();
            QVERIFY(refuses);
        }
        verifyNothingIsHeld();
        QCOMPARE(number(u"SELECT count(*) FROM webhook_deliveries WHERE status = 'delivered' AND attempts = "
                        "1"_s),
                 3);
        QCOMPARE(receiver.arrivalCount(), 3);
    }

    void everyCallIsAnsweredOnceHoweverItMeetsTheStop()
    {
        const auto engine = started(options());
        std::atomic<int> asked = 0;
        std::atomic<int> answered = 0;
        std::atomic<bool> enough = false;
        std::vector<std::thread> callers;
        for (int i = 0; i < 3; ++i)
            callers.emplace_back([&] {
                const auto heard = [&](const auto&) { ++answered; };
                while (!enough) {
                    if (asked - answered > kMostOpenCalls) {
                        std::this_thread::yield();
                        continue;
                    }
                    asked += 6;
                    engine->submit({u"quick"_s, "1", 0}, heard);
                    ActionRequest request;
                    request.scope.matching = true;
                    engine->act(request, heard);
                    engine->plan(request, heard);
                    engine->counts(heard);
                    engine->jobDetail(u"nothing"_s, heard);
                    engine->fetchRows(ListKind::Jobs, {1, 2, 3}, heard);
                }
            });
        const bool busy = QTest::qWaitFor([&] { return answered > 500; });
        std::thread second([&] { engine->stop(StopMode::Hard); });
        engine->stop();
        second.join();
        enough = true;
        for (std::thread& caller : callers)
            caller.join();
        QVERIFY(busy);
        QCOMPARE(answered.load(), asked.load());
        verifyNothingIsHeld();
    }

    void stopsInTheMiddleOfLists()
    {
        const auto engine = started(options());
        for (int i = 0; i < 200; ++i)
            engine->submit({u"quick"_s, "1", 3'600'000}, [](const Result<QString>&) {});
        std::atomic<int> ended = 0;
        for (int i = 0; i < 20; ++i)
            engine->openList(QString::number(i), {}, [&](const Result<ListSlice>& slice) {
                if (!slice || slice->last)
                    ++ended;
            });
        engine->stop();
        QCOMPARE(ended.load(), 20);
    }
};

QTEST_GUILESS_MAIN(ShutdownTest)
#include "shutdown_test.moc"
