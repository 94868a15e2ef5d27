#include "core/queue/concurrency.h"

#include "tests/support/queue_rig.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;
using namespace Qt::Literals::StringLiterals;

Q_DECLARE_METATYPE(redrive::ConcurrencyEvent)

class ConcurrencyTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void follows_data()
    {
        using E = ConcurrencyEvent;
        QTest::addColumn<int>("limit");
        QTest::addColumn<bool>("failing");
        QTest::addColumn<ConcurrencyEvent>("event");
        QTest::addColumn<int>("open");
        QTest::addColumn<int>("most");
        QTest::addColumn<int>("newLimit");
        QTest::addColumn<bool>("nowFailing");
        QTest::newRow("doubles while work waits") << 1 << false << E::WorkWaits << 1 << 8 << 2 << false;
        QTest::newRow("and again") << 4 << false << E::WorkWaits << 4 << 8 << 8 << false;
        QTest::newRow("within the workers") << 8 << false << E::WorkWaits << 8 << 8 << 8 << false;
        QTest::newRow("workers that are no power of two")
            << 4 << false << E::WorkWaits << 4 << 6 << 6 << false;
        QTest::newRow("one worker") << 1 << false << E::WorkWaits << 1 << 1 << 1 << false;
        QTest::newRow("no workers") << 1 << false << E::WorkWaits << 0 << 0 << 1 << false;
        QTest::newRow("no growth while failing") << 2 << true << E::WorkWaits << 2 << 8 << 2 << true;
        QTest::newRow("shrinks to what is open") << 8 << false << E::NothingDue << 3 << 8 << 3 << false;
        QTest::newRow("to one at least") << 8 << false << E::NothingDue << 0 << 8 << 1 << false;
        QTest::newRow("never grows by shrinking") << 2 << false << E::NothingDue << 5 << 8 << 2 << false;
        QTest::newRow("halves after a failure") << 8 << false << E::BatchFailed << 7 << 8 << 4 << true;
        QTest::newRow("to one at least after a failure")
            << 1 << true << E::BatchFailed << 0 << 8 << 1 << true;
        QTest::newRow("a good batch ends the failing") << 2 << true << E::BatchDone << 1 << 8 << 2 << false;
        QTest::newRow("a good batch alone grows nothing")
            << 2 << false << E::BatchDone << 1 << 8 << 2 << false;
    }

    void follows()
    {
        QFETCH(int, limit);
        QFETCH(bool, failing);
        QFETCH(ConcurrencyEvent, event);
        QFETCH(int, open);
        QFETCH(int, most);
        const Concurrency after = afterEvent({limit, failing}, event, open, most);
        QTEST(after.limit, "newLimit");
        QTEST(after.failing, "nowFailing");
    }

    // Jobs that block until the test lets them go; the rig has four workers.
    void growsWithTheBacklogAndShrinksAfter()
    {
        Settings settings;
        ConsumerSettings consumer = consumerOf(u"q"_s, 1, 0);
        settings.consumers = {consumer};
        settings.jobsQueue = u"q"_s;
        QueueRig rig(settings);
        Gate gate;
        rig.registry.add(u"wait"_s, std::make_shared<WaitingHandler>(gate));
        rig.enqueue(u"wait"_s);
        QCOMPARE(rig.consumer().openBatches(), 1);
        for (int i = 0; i < 7; ++i)
            rig.enqueue(u"wait"_s);
        const QueueTotals busy = rig.counters.queues.all().value(u"q"_s);
        QCOMPARE(busy.batches, 4);
        QCOMPARE(busy.batchLimit, 4);
        gate.open();
        QTRY_COMPARE((rig.settle(), rig.counters.done.load()), 8u);
        rig.pass(1);
        const QueueTotals idle = rig.counters.queues.all().value(u"q"_s);
        QCOMPARE(idle.batches, 0);
        QCOMPARE(idle.batchLimit, 1);
        QCOMPARE(idle.done, 8u);
    }

    void maxConcurrencyIsKept()
    {
        Settings settings;
        ConsumerSettings consumer = consumerOf(u"q"_s, 1, 0);
        consumer.maxConcurrency = 2;
        settings.consumers = {consumer};
        settings.jobsQueue = u"q"_s;
        QueueRig rig(settings);
        Gate gate;
        rig.registry.add(u"wait"_s, std::make_shared<WaitingHandler>(gate));
        for (int i = 0; i < 6; ++i)
            rig.enqueue(u"wait"_s);
        QCOMPARE(rig.consumer().openBatches(), 2);
        gate.open();
        QTRY_COMPARE((rig.settle(), rig.counters.done.load()), 6u);
    }

    void aBatchThatThrowsIsAFailureAndARetryIsNone_data()
    {
        QTest::addColumn<bool>("throws");
        QTest::addColumn<int>("openAfter"); // batches of jobs, once the handler has had its say
        QTest::newRow("explicit retries") << false << 4;
        QTest::newRow("throws") << true << 1;
    }

    void aBatchThatThrowsIsAFailureAndARetryIsNone()
    {
        QFETCH(bool, throws);
        Settings settings;
        settings.consumers = {consumerOf(u"q"_s, 1, 0, 100)};
        settings.jobsQueue = u"q"_s;
        QueueRig rig(settings);
        Gate gate;
        rig.registry.add(u"wait"_s, std::make_shared<WaitingHandler>(gate));
        rig.handle(u"q"_s, [throws](const QList<WaitingMessage>&, Settlement& settlement) {
            settlement.retryAll(3'600'000);
            return throws ? HandlerEnd::Failed : HandlerEnd::Returned;
        });
        rig.send(u"q"_s, {u"plain"_s});
        for (int i = 0; i < 6; ++i)
            rig.enqueue(u"wait"_s);
        QTEST(rig.consumer().openBatches(), "openAfter");
        QCOMPARE(rig.counters.failed.load(), throws ? 1u : 0u);
        gate.open();
        QTRY_COMPARE((rig.settle(), rig.counters.done.load()), 6u);
    }

private:
    class Gate
    {
    public:
        void open()
        {
            std::lock_guard lock(m_mutex);
            m_open = true;
            m_changed.notify_all();
        }
        void wait()
        {
            std::unique_lock lock(m_mutex);
            m_changed.wait(lock, [this] { return m_open; });
        }

    private:
        std::mutex m_mutex;
        std::condition_variable m_changed;
        bool m_open = false;
    };

    class WaitingHandler final : public BlockingHandler
    {
    public:
        explicit WaitingHandler(Gate& gate) : m_gate(gate) {}
        HandlerOutcome run(const ClaimedJob&, const StopSignal&) override
        {
            m_gate.wait();
            return {};
        }

    private:
        Gate& m_gate;
    };
};

QTEST_GUILESS_MAIN(ConcurrencyTest)
#include "concurrency_test.moc"
