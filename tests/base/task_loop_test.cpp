#include "core/base/task_loop.h"
#include "tests/support/manual_clock.h"

#include <QTest>

#include <atomic>
#include <future>

using namespace redrive;

class TaskLoopTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void runsTasksInOrderAndAllOfThemBeforeItStops()
    {
        SystemClock clock;
        std::vector<int> seen;
        TaskLoop loop(clock);
        loop.start("loop", {});
        for (int i = 0; i < 1'000; ++i)
            QVERIFY(loop.post([&seen, i] { seen.push_back(i); }));
        loop.stop();
        QCOMPARE(seen.size(), size_t(1'000));
        QVERIFY(std::is_sorted(seen.begin(), seen.end()));
        QVERIFY(!loop.post([] {}));
        loop.stop();
    }

    void wakesAtTheDeadlineOfAClockThatIsMoved()
    {
        test::ManualClock clock;
        std::promise<void> reached;
        std::atomic<int> cycles = 0;
        TaskLoop loop(clock);
        const qint64 due = clock.steadyMs() + 60'000;
        loop.start("loop", [&]() -> std::optional<qint64> {
            if (clock.steadyMs() >= due && cycles++ == 0)
                reached.set_value();
            return due > clock.steadyMs() ? std::optional(due) : std::nullopt;
        });
        clock.advance(59'999);
        QCOMPARE(cycles.load(), 0);
        clock.advance(1);
        QVERIFY(reached.get_future().wait_for(std::chrono::seconds(10)) == std::future_status::ready);
    }

    void runsLeaveLastInItsThread()
    {
        SystemClock clock;
        bool left = false;
        bool inThread = false;
        TaskLoop loop(clock);
        loop.start("loop", {}, [&] {
            left = true;
            inThread = loop.isCurrentThread();
        });
        loop.stop();
        QVERIFY(left);
        QVERIFY(inThread);
    }
};

QTEST_APPLESS_MAIN(TaskLoopTest)
#include "task_loop_test.moc"
