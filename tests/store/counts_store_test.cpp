#include "core/store/counts_store.h"

#include "tests/support/test_store.h"

#include <QTest>

#include <algorithm>

using namespace redrive;

namespace {

constexpr qint64 kNow = 1'900'000'000'000; // 17:46:40 UTC
constexpr qint64 kHour = 3'600'000;

QueueStats queueNamed(const StoreCounts& counts, const QString& name)
{
    const auto found = std::find_if(counts.queues.begin(), counts.queues.end(),
                                    [&](const QueueStats& queue) { return queue.name == name; });
    return found == counts.queues.end() ? QueueStats{} : *found;
}

} // namespace

class CountsStoreTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void anEmptyStoreCountsNothing()
    {
        test::TestStore store(kNow);
        CountsStore counter({{"jobs", true, false, 4}});
        const auto counts = counter.counts(store.db(), kNow, 0);
        QVERIFY(counts);
        QCOMPARE(counts->jobs, 0);
        QCOMPARE(counts->queues.size(), 1);
        QVERIFY(counts->queues.first().declared && counts->queues.first().hasConsumer);
        QVERIFY(!counts->queues.first().oldestWaitingMs);
    }

    void counts()
    {
        test::TestStore store(kNow);
        store.execute(
            QString(
                "INSERT INTO jobs (id, type, status, due_at_ms) VALUES ('1', 't', 'pending', NULL), ('2', "
                "'t', 'pending', %1), ('3', 't', 'pending', %2), ('4', 't', 'processing', NULL), ('5', "
                "'t', 'done', NULL), ('6', 't', 'odd', NULL)")
                .arg(kNow + kHour)
                .arg(kNow + kHour + 1));
        store.execute(
            QString("INSERT INTO webhook_deliveries (id, endpoint_id, event_type, status, due_at_ms, "
                    "instance_no) VALUES ('1', 'e', 't', 'failed', %1, NULL), ('2', 'e', 't', 'pending', %1, "
                    "NULL), ('3', 'e', 't', 'sending', NULL, 1), ('4', 'e', 't', 'held', NULL, NULL), ('5', "
                    "'e', 't', 'delivered', NULL, NULL)")
                .arg(kNow - 5));
        const qint64 midnight = kNow - kNow % (24 * kHour);
        store.execute(
            QString(
                "INSERT INTO dead_letters (kind, subject_id, state, source_queue, attempts, reason, "
                "sent_at_ms, dead_at_ms, changed_at_ms) VALUES ('job', 'a', 'open', 'jobs', 1, 'r', 1, %1, "
                "1), ('job', 'b', 'open', 'jobs', 1, 'r', 1, %2, 1), ('delivery', 'c', 'open', NULL, 1, "
                "'r', 1, %1, 1), ('job', 'd', 'discarded', 'jobs', 1, 'r', 1, %1, 1), ('job', 'e', "
                "'requeued', 'jobs', 1, 'r', 1, %1, 1)")
                .arg(midnight)
                .arg(midnight - 1));
        store.execute(
            QString(
                "INSERT INTO messages (id, queue, is_job, size, sent_at_ms, visible_at_ms, lease_instance) "
                "VALUES ('1', 'jobs', 1, 10, 300, %1, NULL), ('2', 'jobs', 1, 20, 200, %1, NULL), ('3', "
                "'jobs', 1, 30, 100, %2, NULL), ('4', 'jobs', 1, 40, 50, %1, 7), ('5', 'my/ Queue', 0, 5, "
                "1, %2, NULL)")
                .arg(kNow)
                .arg(kNow + 1));
        store.execute("INSERT INTO queues (name, paused_at_ms, paused_by, created_at_ms) VALUES ('jobs', 12, "
                      "'anna', 1)");

        CountsStore counter({{"jobs", true, true, 4}, {"spare", false, false, 0}});
        const auto counts = counter.counts(store.db(), kNow, 0);
        QVERIFY2(counts, qPrintable(counts ? QString() : counts.error().text()));
        QCOMPARE(counts->jobs, 6);
        QCOMPARE(counts->pending, 3);
        QCOMPARE(counts->processing, 1);
        QCOMPARE(counts->timers, 3);
        QCOMPARE(counts->timersDueInHour, 2);
        QCOMPARE(counts->deadLetters, 3);
        QCOMPARE(counts->deadToday, 2);
        QCOMPARE(counts->bin, 1);
        QCOMPARE(counts->deliveries, 5);
        QCOMPARE(counts->deliveriesOpen, 4);
        QCOMPARE(counts->queues.size(), 3);
        const QueueStats jobs = queueNamed(*counts, "jobs");
        QCOMPARE(jobs.waiting, 2);
        QCOMPARE(jobs.delayed, 1);
        QCOMPARE(jobs.inFlight, 1);
        QCOMPARE(jobs.backlogBytes, 100);
        QCOMPARE(jobs.oldestWaitingMs, std::optional<qint64>(200));
        QCOMPARE(jobs.deadLetters, 2);
        QVERIFY(jobs.paused && jobs.noHandler);
        QCOMPARE(jobs.pausedBy, QString("anna"));
        const QueueStats other = queueNamed(*counts, "my/ Queue");
        QCOMPARE(other.delayed, 1);
        QVERIFY(!other.declared && !other.oldestWaitingMs);
    }

    void seesChangesAtTheNextCall()
    {
        test::TestStore store(kNow);
        CountsStore counter({});
        QCOMPARE(counter.counts(store.db(), kNow, 0)->jobs, 0);
        store.execute("INSERT INTO jobs (id, type) VALUES ('1', 't')");
        QCOMPARE(counter.counts(store.db(), kNow, 10'000)->jobs, 1);
        store.execute("INSERT INTO jobs (id, type) VALUES ('2', 't')");
        counter.forget();
        QCOMPARE(counter.counts(store.db(), kNow, 10'000)->jobs, 2);
        // No snapshot stays open.
        QCOMPARE(store.number("PRAGMA wal_checkpoint(TRUNCATE)"), 0);
    }

    void hotCountsUseTheirIndexes_data()
    {
        QTest::addColumn<QString>("statement");
        QTest::addColumn<QString>("index");
        QTest::newRow("pending")
            << "SELECT count(*) FROM jobs WHERE status = 'pending' AND status IN ('pending', "
               "'processing')"
            << "jobs_open";
        QTest::newRow("timers") << "SELECT count(*) FROM jobs WHERE due_at_ms IS NOT NULL"
                                << "jobs_due";
        QTest::newRow("timers until") << "SELECT count(*) FROM jobs WHERE due_at_ms <= 5"
                                      << "jobs_due";
        QTest::newRow("delivery timers")
            << "SELECT count(*) FROM webhook_deliveries WHERE due_at_ms <= 5 AND status = 'failed'"
            << "webhook_deliveries_due";
        QTest::newRow("held") << "SELECT count(*) FROM webhook_deliveries WHERE status = 'held'"
                              << "webhook_deliveries_held";
        QTest::newRow("sending") << "SELECT count(*) FROM webhook_deliveries WHERE instance_no IS NOT NULL"
                                 << "webhook_deliveries_sending";
        QTest::newRow("dead today")
            << "SELECT count(*) FROM dead_letters WHERE state = 'open' AND dead_at_ms >= 5"
            << "dead_letters_open";
        QTest::newRow("bin") << "SELECT count(*) FROM dead_letters WHERE state = 'discarded'"
                             << "dead_letters_bin";
    }

    void hotCountsUseTheirIndexes()
    {
        QFETCH(QString, statement);
        QFETCH(QString, index);
        test::TestStore store(kNow);
        auto plan = store.db().dynamicQuery("EXPLAIN QUERY PLAN " + statement);
        QVERIFY(plan.next());
        QVERIFY2(plan.text(3).contains("INDEX " + index), qPrintable(plan.text(3)));
    }
};

QTEST_GUILESS_MAIN(CountsStoreTest)
#include "counts_store_test.moc"
