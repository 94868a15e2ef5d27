// Cancelling what runs, over whole engines: one, and two on one database.
#include "core/engine/engine.h"
#include "tests/support/http_receiver.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <future>

using namespace redrive;
using namespace redrive::test;
using namespace Qt::Literals::StringLiterals;

namespace {

enum class Manner { Stops, Ignores, FinishesFirst };

// Runs until it is asked to stop, and then does as the test says.
class Endless final : public BlockingHandler
{
public:
    explicit Endless(Manner manner) : m_manner(manner) {}
    HandlerOutcome run(const ClaimedJob&, const StopSignal& stop) override
    {
        ++begun;
        while (!stop.requested)
            std::this_thread::yield();
        HandlerOutcome outcome;
        outcome.result = m_manner == Manner::Stops ? HandlerResult::Cancelled : HandlerResult::Done;
        if (m_manner == Manner::Ignores)
            m_gone.wait();
        ++ended;
        return outcome;
    }
    qint64 timeLimitMs() const override { return 0; }
    void letGo() { m_go.set_value(); }

    std::atomic<int> begun = 0;
    std::atomic<int> ended = 0;

private:
    Manner m_manner;
    std::promise<void> m_go;
    std::shared_future<void> m_gone = m_go.get_future().share();
};

template <typename T>
Result<T> answerOf(const std::function<void(Reply<T>)>& ask)
{
    auto promise = std::make_shared<std::promise<Result<T>>>();
    auto future = promise->get_future();
    ask([promise](Result<T> result) { promise->set_value(std::move(result)); });
    return future.get();
}

} // namespace

class CancelRunningTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_path;
    int m_number = 0;

    std::unique_ptr<Engine> start(const std::shared_ptr<Endless>& endless)
    {
        EngineOptions options;
        ConsumerSettings consumer;
        consumer.queue = u"jobs"_s;
        consumer.maxBatchTimeoutMs = 0;
        consumer.deadLetterQueue = u"jobs-dlq"_s;
        options.settings.consumers = {consumer};
        options.settings.jobsQueue = u"jobs"_s;
        options.settings.listen = u"127.0.0.1:0"_s;
        options.settings.backoff.baseMs = 600'000;
        options.settings.backoff.capMs = 600'000;
        options.database.path = m_path;
        options.drainMs = 300;
        options.addHandlers = [endless](HandlerRegistry& registry) {
            registry.add(u"endless"_s, std::static_pointer_cast<BlockingHandler>(endless));
        };
        auto engine = Engine::start(std::move(options));
        if (!engine)
            qFatal("%s", qPrintable(engine.error().text()));
        return std::move(*engine);
    }

    static QString submit(Engine& engine, const QString& type, const QByteArray& payload = "{}")
    {
        return *answerOf<QString>([&](Reply<QString> reply) { engine.submit({type, payload, 0}, reply); });
    }

    static ActionResult cancel(Engine& engine, const QString& id)
    {
        ActionRequest asked;
        asked.verb = ActionVerb::Cancel;
        asked.scope.ids = {id};
        asked.actor = u"anna"_s;
        asked.source = u"console"_s;
        return *answerOf<ActionResult>([&](Reply<ActionResult> reply) { engine.act(asked, reply); });
    }

    static JobDetail detail(Engine& engine, const QString& id)
    {
        return *answerOf<JobDetail>([&](Reply<JobDetail> reply) { engine.jobDetail(id, reply); });
    }

    static void untilCancelled(Engine& engine, const QString& id)
    {
        QElapsedTimer took;
        took.start();
        QTRY_COMPARE(detail(engine, id).job.status, JobStatus::Cancelled);
        // A second, and what a busy machine may add.
        QVERIFY2(took.elapsed() < 3'000, qPrintable(QString::number(took.elapsed())));
    }

private Q_SLOTS:
    void init() { m_path = m_folder.filePath(u"%1.db"_s.arg(++m_number)); }

    void aRunningJobIsAskedToStopAndIsCancelled()
    {
        auto endless = std::make_shared<Endless>(Manner::Stops);
        const auto engine = start(endless);
        const QString id = submit(*engine, u"endless"_s);
        QTRY_COMPARE(endless->begun.load(), 1);
        QCOMPARE(cancel(*engine, id).succeeded, 1);
        untilCancelled(*engine, id);
        const JobDetail job = detail(*engine, id);
        QCOMPARE(job.job.reason, u"cancelled"_s);
        QCOMPARE(job.attempts.size(), 1);
        QCOMPARE(job.attempts[0].outcome, u"cancelled"_s);
        QCOMPARE(job.actions.size(), 1);
        QCOMPARE(job.actions[0].actor, u"anna"_s);
        QCOMPARE(endless->begun.load(), 1);
        QCOMPARE(cancel(*engine, id).refused[0].why, u"is cancelled already"_s);
    }

    void whatFinishesFirstIsDone()
    {
        auto endless = std::make_shared<Endless>(Manner::FinishesFirst);
        const auto engine = start(endless);
        const QString id = submit(*engine, u"endless"_s);
        QTRY_COMPARE(endless->begun.load(), 1);
        cancel(*engine, id);
        QTRY_COMPARE(detail(*engine, id).job.status, JobStatus::Done);
        QCOMPARE(detail(*engine, id).attempts.size(), 1);
    }

    void aHandlerThatIgnoresItsStopHoldsNothingUp()
    {
        auto endless = std::make_shared<Endless>(Manner::Ignores);
        const auto engine = start(endless);
        const QString id = submit(*engine, u"endless"_s);
        QTRY_COMPARE(endless->begun.load(), 1);
        cancel(*engine, id);
        untilCancelled(*engine, id);
        QCOMPARE(endless->ended.load(), 0);
        endless->letGo(); // now it says that it is done
        QTRY_COMPARE(endless->ended.load(), 1);
        const QString next =
            submit(*engine, u"webhook_fanout"_s, R"({"eventType":"x","eventData":1,"endpoints":[]})");
        QTRY_COMPARE(detail(*engine, next).job.status, JobStatus::Done); // a turn later
        QCOMPARE(detail(*engine, id).job.status, JobStatus::Cancelled);
        QCOMPARE(detail(*engine, id).attempts.size(), 1);
    }

    void aJobInAnotherEngineIsCancelled()
    {
        auto endless = std::make_shared<Endless>(Manner::Stops);
        const auto holder = start(endless);
        const QString id = submit(*holder, u"endless"_s);
        QTRY_COMPARE(endless->begun.load(), 1);
        auto idle = std::make_shared<Endless>(Manner::Stops);
        const auto other = start(idle);
        QCOMPARE(cancel(*other, id).succeeded, 1);
        untilCancelled(*other, id);
        QTRY_COMPARE(endless->ended.load(), 1);
        QCOMPARE(idle->begun.load(), 0);
        QCOMPARE(detail(*holder, id).attempts.size(), 1);
    }

    void aFanOutsDeliveriesAreCancelledWithTheRequestUnderWay()
    {
        HttpReceiver receiver;
        receiver.answer("/hangs", ReceiverAnswer::status(200).hold());
        receiver.answer("/fails", ReceiverAnswer::status(500));
        const auto engine = start(std::make_shared<Endless>(Manner::Stops));
        const auto endpoint = [&](const char* id) {
            return u"{\"id\":\"%1\",\"url\":\"%2\"}"_s.arg(QLatin1StringView(id),
                                                           receiver.url('/' + QByteArray(id)));
        };
        const QString id = submit(*engine, u"webhook_fanout"_s,
                                  u"{\"eventType\":\"x\",\"eventData\":1,\"endpoints\":[%1,%2,%3]}"_s
                                      .arg(endpoint("good"), endpoint("hangs"), endpoint("fails"))
                                      .toUtf8());
        const auto states = [&] {
            QStringList found;
            const auto deliveries = detail(*engine, id).deliveries;
            for (const DeliveryRow& delivery : deliveries)
                found.append(delivery.endpointId + u' ' + toText(delivery.status));
            found.sort();
            return found;
        };
        QTRY_COMPARE(states(), (QStringList{u"fails failed"_s, u"good delivered"_s, u"hangs sending"_s}));
        QVERIFY(receiver.waitForArrivals(1, "/hangs"));
        QCOMPARE(cancel(*engine, id).succeeded, 1);
        QTRY_COMPARE(states(),
                     (QStringList{u"fails cancelled"_s, u"good delivered"_s, u"hangs cancelled"_s}));
        QCOMPARE(detail(*engine, id).job.status, JobStatus::Done);
        const auto deliveries = detail(*engine, id).deliveries;
        for (const DeliveryRow& row : deliveries) {
            const auto delivery = *answerOf<DeliveryDetail>(
                [&](Reply<DeliveryDetail> reply) { engine->deliveryDetail(row.id, reply); });
            QCOMPARE(delivery.attempts.size(), 1);
            if (row.endpointId != u"hangs")
                continue;
            QCOMPARE(delivery.attempts[0].outcome, u"cancelled"_s);
            QCOMPARE(delivery.attempts[0].outcomeClass, u"unknown"_s);
        }
        QCOMPARE(receiver.arrivalCount(), 3);
        QCOMPARE(cancel(*engine, id).refused[0].why, u"is done"_s);
    }
};

QTEST_GUILESS_MAIN(CancelRunningTest)
#include "cancel_running_test.moc"
