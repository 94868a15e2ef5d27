#include "core/jobs/backoff.h"

#include <QTest>

#include <limits>

using namespace redrive;

class BackoffTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void growsToTheCap_data();
    void growsToTheCap();
    void addsAtMostATenthAfterTheCap();
    void baseOfAQueueReplacesTheDefault();
};

void BackoffTest::growsToTheCap_data()
{
    QTest::addColumn<int>("attempt");
    QTest::addColumn<qint64>("seconds");
    const std::pair<int, qint64> rows[] = {
        {1, 10},
        {2, 20},
        {3, 40},
        {4, 80},
        {5, 160},
        {6, 300},
        {7, 300},
        {63, 300},
        {64, 300},
        {65, 300},
        {100, 300},
        {1025, 300},
        {std::numeric_limits<int>::max(), 300},
        {0, 10},
        {-5, 10},
    };
    for (const auto& [attempt, seconds] : rows)
        QTest::addRow("attempt %d", attempt) << attempt << seconds;
}

void BackoffTest::growsToTheCap()
{
    QFETCH(int, attempt);
    QFETCH(qint64, seconds);
    QCOMPARE(backoffMs({}, attempt, 0.0), seconds * 1000);
    QCOMPARE(backoffMs({}, attempt, 1.0), seconds * 1100);
}

void BackoffTest::addsAtMostATenthAfterTheCap()
{
    for (double random = 0; random < 1; random += 0.01) {
        const qint64 delay = backoffMs({}, 9, random);
        QVERIFY(delay >= 300'000 && delay <= 330'000);
    }
    QCOMPARE(backoffMs({}, 1, 0.5), 10'500);
    QCOMPARE(backoffMs({}, 1, 7.0), 11'000);
    QCOMPARE(backoffMs({}, 1, -7.0), 10'000);
    const BackoffSettings largest{86'400'000, 86'400'000, 1.0}; // that a configuration can ask for
    QCOMPARE(backoffMs(largest, std::numeric_limits<int>::max(), 1.0), 172'800'000);
    QCOMPARE(backoffMs(largest, std::numeric_limits<int>::min() + 1, 1.0), 172'800'000);
    QCOMPARE(backoffMs({.jitter = 0}, 1, 1.0), 10'000);
}

void BackoffTest::baseOfAQueueReplacesTheDefault()
{
    QCOMPARE(backoffMs({}, 1, 0, 2'000), 2'000);
    QCOMPARE(backoffMs({}, 4, 0, 2'000), 16'000);
    QCOMPARE(backoffMs({}, 50, 0, 2'000), 300'000);
    QCOMPARE(backoffMs({}, 3, 1, 0), 0);
    QCOMPARE(backoffMs({}, 1, 0, 86'400'000), 300'000);
    QCOMPARE(backoffMs({}, 62, 0, std::numeric_limits<qint64>::max()), 300'000);
}

QTEST_APPLESS_MAIN(BackoffTest)
#include "backoff_test.moc"
