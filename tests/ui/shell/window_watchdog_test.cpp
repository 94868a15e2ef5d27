#include "ui/shell/window_watchdog.h"

#include "core/base/log.h"
#include "core/base/result.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <condition_variable>
#include <ctime>
#include <mutex>

using namespace redrive;

namespace {

qint64 ownMs()
{
    timespec used{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return used.tv_sec * 1000 + used.tv_nsec / 1'000'000;
}

void computeFor(qint64 ms)
{
    for (const qint64 end = ownMs() + ms; ownMs() < end;) {
    }
}

// As a thread is blocked that waits for an answer that does not come.
void waitFor(std::chrono::milliseconds ms)
{
    std::mutex mutex;
    std::condition_variable never;
    std::unique_lock lock(mutex);
    never.wait_for(lock, ms, [] { return false; });
}

// Some turns of the event loop, in which nothing happens.
void turns()
{
    QTimer timer;
    QSignalSpy ticks(&timer, &QTimer::timeout);
    timer.start(WindowWatchdog::kTickMs);
    QTRY_VERIFY(ticks.count() >= 3);
}

} // namespace

class WindowWatchdogTest final : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aThreadThatComesBackInTimeIsNotCounted()
    {
        const WindowWatchdog watchdog;
        turns();
        QTimer::singleShot(0, this, [] { computeFor(25); });
        turns();
        QCOMPARE(watchdog.blocks(), 0);
        QVERIFY(watchdog.longestMs() >= 15);
    }

    void whatItComputesIsCounted()
    {
        const WindowWatchdog watchdog;
        turns();
        QTimer::singleShot(0, this, [] { computeFor(90); });
        turns();
        QCOMPARE(watchdog.blocks(), 1);
        QVERIFY(watchdog.longestMs() > 50);
    }

    void whatItWaitsForIsCounted()
    {
        const WindowWatchdog watchdog;
        turns();
        QTimer::singleShot(0, this, [] { waitFor(std::chrono::milliseconds(80)); });
        turns();
        QCOMPARE(watchdog.blocks(), 1);
    }

    void theTimeBeforeTheFirstTurnIsNotCounted()
    {
        const WindowWatchdog watchdog;
        computeFor(90);
        turns();
        QCOMPARE(watchdog.blocks(), 0);
    }

    void aBlockIsLogged()
    {
        const QTemporaryDir folder;
        const auto path = folder.filePath(u"log"_s);
        QVERIFY(setLogFile(path));
        const WindowWatchdog watchdog;
        turns();
        QTimer::singleShot(0, this, [] { computeFor(90); });
        turns();
        setLogFile({});
        QFile log(path);
        QVERIFY(log.open(QIODevice::ReadOnly));
        const auto text = log.readAll();
        QCOMPARE(text.count("\"window_blocked\""), 1);
        QVERIFY(text.contains("\"waited_for_processor_ms\""));
    }
};

QTEST_GUILESS_MAIN(WindowWatchdogTest)
#include "window_watchdog_test.moc"
