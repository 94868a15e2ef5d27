// The small rules of a lane: its rate and its classes.
#include "core/webhooks/class_turns.h"
#include "core/webhooks/token_bucket.h"

#include <QTest>

using namespace redrive;

class LaneRulesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void neverMoreThanTheRate_data()
    {
        QTest::addColumn<double>("rate");
        QTest::addColumn<qint64>("ms");
        QTest::addColumn<int>("sent");
        QTest::newRow("5 a second") << 5.0 << 10'000LL << 51;
        QTest::newRow("one in 2.5 seconds") << 0.4 << 10'000LL << 5;
        QTest::newRow("one in 1,000 seconds") << 0.001 << 3'000'000LL << 4;
        QTest::newRow("3 a second") << 3.0 << 9'000LL << 28;
        QTest::newRow("500 a second") << 500.0 << 2'000LL << 1'050;
        QTest::newRow("20,000 a second") << 20'000.0 << 1'000LL << 22'000;
    }
    void neverMoreThanTheRate()
    {
        QFETCH(double, rate);
        QFETCH(qint64, ms);
        TokenBucket bucket;
        bucket.setRate(rate, 1'000);
        int sent = 0;
        int wakes = 0;
        for (qint64 now = 1'000; now <= 1'000 + ms;) {
            const int count = bucket.available(100'000, now);
            QVERIFY2(count > 0, "woken before it was due");
            bucket.take(count, now);
            sent += count;
            ++wakes;
            const qint64 next = bucket.readyAtMs(now);
            QVERIFY(next > now);
            QCOMPARE(bucket.available(1, next - 1), 0); // and not a ms later than it could be
            now = next;
        }
        QTEST(sent, "sent");
        QVERIFY(wakes <= ms + 1);
    }

    void withoutARateThereIsNoLimit()
    {
        TokenBucket bucket;
        bucket.take(1'000, 5);
        QCOMPARE(bucket.available(77, 5), 77);
        QCOMPARE(bucket.readyAtMs(5), 5);
        QVERIFY(bucket.isFull(5));
        bucket.setRate(1, 5);
        bucket.take(1, 5);
        bucket.setRate(0.5, 5); // a change grants no new burst
        QCOMPARE(bucket.available(1, 5), 0);
        QCOMPARE(bucket.readyAtMs(5), 2'005);
        bucket.setRate({}, 5);
        QCOMPARE(bucket.available(9, 5), 9);
    }

    void classesShareThePlaces_data()
    {
        QTest::addColumn<QList<bool>>("has");
        QTest::addColumn<QList<int>>("shares"); // of 80
        QTest::newRow("all") << QList<bool>{true, true, true} << QList<int>{50, 20, 10};
        QTest::newRow("fresh") << QList<bool>{true, false, false} << QList<int>{80, 0, 0};
        QTest::newRow("late and bulk") << QList<bool>{false, true, true} << QList<int>{0, 70, 10};
        QTest::newRow("fresh and bulk") << QList<bool>{true, false, true} << QList<int>{70, 0, 10};
        QTest::newRow("bulk") << QList<bool>{false, false, true} << QList<int>{0, 0, 80};
        QTest::newRow("none") << QList<bool>{false, false, false} << QList<int>{0, 0, 0};
    }
    void classesShareThePlaces()
    {
        QFETCH(QList<bool>, has);
        QFETCH(QList<int>, shares);
        ClassTurns together;
        ClassTurns oneByOne;
        const HasDue due{has[0], has[1], has[2]};
        const PerClass all = together.share(80, due);
        PerClass sum{};
        for (int i = 0; i < 80; ++i) {
            const PerClass one = oneByOne.share(1, due);
            for (size_t c = 0; c < sum.size(); ++c)
                sum[c] += one[c];
        }
        for (size_t c = 0; c < sum.size(); ++c) {
            QCOMPARE(all[c], shares[int(c)]);
            QCOMPARE(sum[c], shares[int(c)]);
        }
    }
};

QTEST_APPLESS_MAIN(LaneRulesTest)
#include "lane_rules_test.moc"
