#include "core/jobs/worker_pool.h"

#include <QTest>

#include <latch>

using namespace redrive;

class WorkerPoolTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void anotherThreadTakesThePlaceOfOneThatIsGivenUp()
    {
        const auto release = std::make_shared<std::latch>(1);
        const auto stuck = std::make_shared<std::latch>(1);
        std::atomic<int> others = 0;
        WorkerPool pool(1);
        pool.submit({1, QStringLiteral("stuck"), [release, stuck] {
                         stuck->count_down();
                         release->wait();
                     }});
        stuck->wait();
        pool.submit({2, QStringLiteral("other"), [&others] { ++others; }});
        QVERIFY(!pool.giveUp(2)); // waits, no thread is at it
        QVERIFY(pool.giveUp(1));
        QVERIFY(!pool.giveUp(1));
        QTRY_COMPARE(others.load(), 1);
        QCOMPARE(pool.givenUp(), QStringList(QStringLiteral("worker-0: stuck")));
        QCOMPARE(pool.threads(), 1);
        release->count_down();
        QTRY_COMPARE(pool.givenUp(), QStringList());
    }

    void aStopWaitsForWhatEndsAndLeavesWhatDoesNot()
    {
        const auto release = std::make_shared<std::latch>(1);
        const auto begun = std::make_shared<std::latch>(2);
        const auto ended = std::make_shared<std::atomic<bool>>(false);
        {
            WorkerPool pool(2);
            pool.submit({1, QStringLiteral("stuck"), [release, begun, ended] {
                             begun->count_down();
                             release->wait();
                             *ended = true;
                         }});
            pool.submit({2, QStringLiteral("quick"), [begun] { begun->arrive_and_wait(); }});
            begun->wait();
            pool.submit({3, QStringLiteral("never begun"), [] {}});
            pool.submit({4, QStringLiteral("never begun"), [] {}});
            const size_t dropped = pool.stop(50);
            QVERIFY(dropped <= 2);
            QCOMPARE(pool.givenUp().size(), 1);
            QCOMPARE(pool.stop(), size_t(0));
        }
        QVERIFY(!*ended);
        release->count_down(); // the task outlives its pool
        QTRY_VERIFY(*ended);
    }
};

QTEST_GUILESS_MAIN(WorkerPoolTest)
#include "worker_pool_test.moc"
