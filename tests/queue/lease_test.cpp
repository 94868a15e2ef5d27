#include "tests/support/queue_rig.h"

#include "core/base/clock.h"
#include "core/store/cancel_actions.h"
#include "core/store/job_read_store.h"
#include "core/store/timer_read_store.h"

#include <QTest>

#include <future>

using namespace redrive;
using namespace redrive::test;
using namespace Qt::Literals::StringLiterals;

namespace {

Settings jobSettings(int retries = 3)
{
    Settings settings;
    settings.consumers = {consumerOf(u"jobs"_s, 10, 0, retries, u"jobs-dlq"_s)};
    settings.jobsQueue = u"jobs"_s;
    return settings;
}

// Blocks its worker until the test lets go.
class BlockedJob final : public BlockingHandler
{
public:
    explicit BlockedJob(int limit = 0) : m_limit(limit) {}
    HandlerOutcome run(const ClaimedJob&, const StopSignal&) override
    {
        if (++runs == 1)
            began.set_value();
        m_gone.wait();
        HandlerOutcome outcome;
        outcome.result = result;
        return outcome;
    }
    int concurrencyLimit() const override { return m_limit; }
    void letGo() { m_go.set_value(); }

    std::promise<void> began;
    std::atomic<int> runs = 0;
    HandlerResult result = HandlerResult::Done;

private:
    int m_limit;
    std::promise<void> m_go;
    std::shared_future<void> m_gone = m_go.get_future().share();
};

} // namespace

class LeaseTest : public QObject
{
    Q_OBJECT

    // A job claimed by an instance that is gone.
    static void orphan(TestStore& store, const QString& id, int attempts, int crashes, bool claimed = true)
    {
        store.execute(
            u"INSERT INTO jobs (id, type, status, payload, queue, attempts, created_at, updated_at) "
            "VALUES ('%1', 'count', '%2', '{}', 'jobs', %3, 1, 1)"_s
                .arg(id, claimed ? u"processing"_s : u"pending"_s)
                .arg(attempts));
        store.execute(
            u"INSERT INTO messages (id, queue, is_job, size, sent_at_ms, visible_at_ms, attempts, crashes, "
            "lease_instance, claim_no, claimed_at_ms) VALUES ('%1', 'jobs', 1, 2, 1900000000000, 1, %2, %3, 7, %4, %4)"_s
                .arg(id)
                .arg(attempts)
                .arg(crashes)
                .arg(claimed ? u"1"_s : u"NULL"_s));
    }
    static void goneInstance(TestStore& store)
    {
        store.execute(
            u"INSERT INTO instances (no, owner, host, pid, version, boot_id, started_at_ms, lease_until_ms) "
            "VALUES (7, 'gone', 'h', 1, '0', '%1', 1, 9000000000000)"_s.arg(bootId()));
    }

private Q_SLOTS:
    void orphansOfAnEngineThatIsGoneRunAtOnce()
    {
        TestStore store;
        goneInstance(store);
        orphan(store, u"started"_s, 1, 0);
        orphan(store, u"unstarted"_s, 0, 0, false);
        QueueRig rig(jobSettings(0), &store); // a crash spends no retry, so 0 retries are enough
        QHash<QString, int> attempts;
        rig.addJob(u"count"_s, [&attempts](const ClaimedJob& job) {
            attempts.insert(job.id, job.attempt);
            return HandlerOutcome();
        });
        rig.settle();
        QCOMPARE(attempts.value(u"started"_s), 2);
        QCOMPARE(attempts.value(u"unstarted"_s), 1);
        QCOMPARE(store.text(u"SELECT outcome FROM job_attempts WHERE job_id = 'started' AND attempt = 1"_s),
                 u"crashed"_s);
        QCOMPARE(store.number(u"SELECT count(*) FROM jobs WHERE status = 'done'"_s), 2);
        QVERIFY(store.number(u"SELECT ended_at_ms FROM instances WHERE no = 7"_s) > 0);
    }

    void aCrashAndAFailureAreCountedApart()
    {
        TestStore store;
        goneInstance(store);
        orphan(store, u"j"_s, 1, 0);
        QueueRig rig(jobSettings(1), &store);
        int runs = 0;
        rig.addJob(u"count"_s, [&runs](const ClaimedJob&) {
            HandlerOutcome outcome;
            outcome.result = ++runs < 2 ? HandlerResult::Transient : HandlerResult::Done;
            return outcome;
        });
        rig.pass(60'000);
        QCOMPARE(runs, 2); // 1 crash, 1 failure, then done: max_retries 1 allows it
        QCOMPARE(store.text(u"SELECT status FROM jobs"_s), u"done"_s);
        QCOMPARE(store.number(u"SELECT attempts FROM jobs"_s), 3);
    }

    // What is shown grants the attempts that the crashes took: never "3 of 2".
    void whatACrashTookIsGrantedAnew()
    {
        TestStore store;
        goneInstance(store);
        orphan(store, u"j"_s, 1, 0);
        QueueRig rig(jobSettings(1), &store);
        rig.addJob(u"count"_s, [](const ClaimedJob&) {
            HandlerOutcome outcome;
            outcome.result = HandlerResult::Transient;
            return outcome;
        });
        rig.settle();
        const auto key = std::vector{store.number(u"SELECT rowid FROM jobs"_s)};
        const auto timer = timer_read_store::rows(store.db(), {key[0] * 2}, {{u"jobs"_s, 2}});
        QCOMPARE(timer->size(), 1);
        QCOMPARE(timer->first().attempts, 2);
        QCOMPARE(timer->first().maxAttempts, 3);
        rig.pass(60'000);
        const auto job = job_read_store::rows(store.db(), key, {{u"jobs"_s, 2}});
        QVERIFY(job->first().status == JobStatus::Dead);
        QCOMPARE(job->first().attempts, 3);
        QCOMPARE(job->first().maxAttempts, 3);
        QCOMPARE(job->first().crashes, 1);
        QCOMPARE(store.text(u"SELECT attempts || ' of ' || max_attempts FROM dead_letters"_s), u"3 of 3"_s);
    }

    void theThirdCrashIsDeath()
    {
        TestStore store;
        goneInstance(store);
        orphan(store, u"poison"_s, 3, 2);
        QueueRig rig(jobSettings(), &store);
        rig.addJob(u"count"_s, [](const ClaimedJob&) { return HandlerOutcome(); });
        rig.settle();
        QCOMPARE(store.text(u"SELECT status || reason FROM jobs"_s), u"deadcrashed"_s);
        QCOMPARE(store.text(u"SELECT reason FROM dead_letters"_s), u"crashed"_s);
        QCOMPARE(store.text(u"SELECT queue FROM messages"_s), u"jobs-dlq"_s);
    }

    void whatWasAskedToStopIsCancelledWhenItsEngineDied()
    {
        TestStore store;
        goneInstance(store);
        orphan(store, u"asked"_s, 1, 0);
        orphan(store, u"ended"_s, 1, 0);
        store.execute(u"UPDATE messages SET stop_asked_ms = 5 WHERE id = 'asked'"_s);
        store.execute(u"UPDATE jobs SET status = 'cancelled' WHERE id = 'ended'"_s); // by hand
        QueueRig rig(jobSettings(), &store);
        int runs = 0;
        rig.addJob(u"count"_s, [&runs](const ClaimedJob&) {
            ++runs;
            return HandlerOutcome();
        });
        rig.settle();
        QCOMPARE(runs, 0);
        QCOMPARE(store.number(u"SELECT count(*) FROM jobs WHERE status = 'cancelled'"_s), 2);
        QCOMPARE(store.number(u"SELECT count(*) FROM messages"_s), 0);
        QCOMPARE(store.text(u"SELECT outcome FROM job_attempts WHERE job_id = 'asked'"_s), u"crashed"_s);
    }

    void whatIsCancelledInABatchThatWaitsDoesNotRun()
    {
        Settings settings = jobSettings();
        settings.consumers = {consumerOf(u"jobs"_s, 10, 1'000, 3)};
        QueueRig rig(settings);
        auto blocked = std::make_shared<BlockedJob>();
        rig.registry.add(u"blocked"_s, std::static_pointer_cast<BlockingHandler>(blocked));
        int runs = 0;
        rig.addJob(u"count"_s, [&runs](const ClaimedJob&) {
            ++runs;
            return HandlerOutcome();
        });
        for (int i = 0; i < 4; ++i) // as many as there are workers
            rig.enqueue(u"blocked"_s);
        const QString waits = rig.enqueue(u"count"_s);
        rig.pass(1'000);
        QTRY_COMPARE(blocked->runs.load(), 4);
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM messages WHERE lease_instance IS NOT NULL"_s), 5);
        QVERIFY(rig.control()
                    .once([&](Cycle& cycle) { return cancel_actions::cancelJob(cycle, waits); })
                    .has_value());
        blocked->letGo();
        QTRY_COMPARE((rig.settle(), rig.store().number(u"SELECT count(*) FROM jobs WHERE status = 'done'"_s)),
                     4);
        QCOMPARE(runs, 0);
        QCOMPARE(rig.store().text(u"SELECT status FROM jobs WHERE id = '%1'"_s.arg(waits)), u"cancelled"_s);
    }

    void aLateOutcomeLeavesWhatIsFinal_data()
    {
        QTest::addColumn<HandlerResult>("result");
        QTest::newRow("done") << HandlerResult::Done;
        QTest::newRow("failed") << HandlerResult::Transient;
        QTest::newRow("failed for good") << HandlerResult::Permanent;
        QTest::newRow("stopped") << HandlerResult::Cancelled;
    }

    void aLateOutcomeLeavesWhatIsFinal()
    {
        QFETCH(HandlerResult, result);
        QueueRig rig(jobSettings());
        auto blocked = std::make_shared<BlockedJob>();
        blocked->result = result;
        rig.registry.add(u"blocked"_s, std::static_pointer_cast<BlockingHandler>(blocked));
        rig.enqueue(u"blocked"_s);
        QTRY_COMPARE(blocked->runs.load(), 1);
        rig.store().execute(u"UPDATE jobs SET status = 'cancelled', reason = 'by hand'"_s);
        blocked->letGo();
        QTRY_COMPARE((rig.settle(), rig.store().number(u"SELECT count(*) FROM messages"_s)), 0);
        QCOMPARE(rig.store().text(u"SELECT status || ' ' || reason FROM jobs"_s), u"cancelled by hand"_s);
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM dead_letters"_s), 0);
    }

    void afterTwoCrashesAMessageRunsAlone()
    {
        TestStore store;
        QueueRig rig(jobSettings(), &store);
        auto blocked = std::make_shared<BlockedJob>();
        QStringList order;
        rig.addJob(u"count"_s, [&order](const ClaimedJob& job) {
            order.append(job.id);
            return HandlerOutcome();
        });
        rig.registry.add(u"blocked"_s, std::static_pointer_cast<BlockingHandler>(blocked));
        rig.enqueue(u"blocked"_s);
        QVERIFY(blocked->began.get_future().wait_for(std::chrono::seconds(10)) == std::future_status::ready);
        for (const QString& id : {u"a"_s, u"poison"_s, u"z"_s})
            orphan(store, id, 2, id == u"poison" ? 2 : 0, false);
        store.execute(u"UPDATE messages SET lease_instance = NULL WHERE id IN ('a', 'poison', 'z')"_s);
        rig.consumer().lookAtAll();
        rig.settle();
        const QStringList besideTheBlocked = order;
        blocked->letGo();
        QTRY_COMPARE((rig.settle(), order.size()), 3);
        QCOMPARE(besideTheBlocked, QStringList{u"a"_s});
        QCOMPARE(order, (QStringList{u"a"_s, u"poison"_s, u"z"_s}));
    }

    void aLateFinisherChangesNothing()
    {
        TestStore store;
        QueueRig rig(jobSettings(), &store);
        auto blocked = std::make_shared<BlockedJob>();
        rig.registry.add(u"blocked"_s, std::static_pointer_cast<BlockingHandler>(blocked));
        const QString id = rig.enqueue(u"blocked"_s);
        QVERIFY(blocked->began.get_future().wait_for(std::chrono::seconds(10)) == std::future_status::ready);
        // another engine took the message over, ran it and is waiting to retry it
        store.execute(
            u"UPDATE messages SET lease_instance = NULL, claim_no = NULL, attempts = 2, visible_at_ms = 9000000000000"_s);
        store.execute(
            u"UPDATE jobs SET status = 'pending', attempts = 2, error = 'theirs', due_at_ms = 9000000000000"_s);
        blocked->letGo();
        QTRY_COMPARE((rig.settle(), rig.counters.done.load() + quint64(rig.consumer().openBatches())), 0u);
        QCOMPARE(store.text(u"SELECT status || error || attempts FROM jobs WHERE id = '%1'"_s.arg(id)),
                 u"pendingtheirs2"_s);
        QCOMPARE(store.number(u"SELECT count(*) FROM job_attempts"_s), 0);
    }

    void whatAnotherEngineDeliveredSinceItWasReadIsNotBegun()
    {
        TestStore store;
        QueueRig rig(jobSettings(), &store);
        auto blocked = std::make_shared<BlockedJob>(1);
        rig.registry.add(u"blocked"_s, std::static_pointer_cast<BlockingHandler>(blocked));
        rig.enqueue(u"blocked"_s);
        QVERIFY(blocked->began.get_future().wait_for(std::chrono::seconds(10)) == std::future_status::ready);
        const QString second = rig.enqueue(u"blocked"_s); // leased, waits for its type's limit
        // another engine took it over, ran it and is waiting to retry it
        store.execute(u"UPDATE messages SET lease_instance = NULL, attempts = 1, visible_at_ms = "
                      "9000000000000 WHERE id = '%1'"_s.arg(second));
        store.execute(
            u"UPDATE jobs SET attempts = 1, due_at_ms = 9000000000000 WHERE id = '%1'"_s.arg(second));
        blocked->letGo();
        QTRY_COMPARE((rig.settle(), rig.consumer().openBatches()), 0);
        QCOMPARE(blocked->runs.load(), 1);
        QCOMPARE(store.text(u"SELECT status || attempts FROM jobs WHERE id = '%1'"_s.arg(second)),
                 u"pending1"_s);
    }

    void aNewIdentityThatWasNotCommittedIsNone()
    {
        TestStore store;
        QueueRig rig(jobSettings(), &store);
        rig.settle();
        const qint64 before = rig.leases().instanceNo();
        store.execute(u"UPDATE instances SET ended_at_ms = 1"_s); // as another engine does after a suspension
        store.execute(
            u"CREATE TRIGGER refusal BEFORE INSERT ON sweeps BEGIN SELECT RAISE(ABORT, 'no'); END"_s);
        rig.clock.advance(300'000);
        while (rig.control().turn()) { // until the sweep's end is refused
            store.execute(u"UPDATE instances SET ended_at_ms = 1"_s);
            rig.clock.advance(10'000);
        }
        const qint64 committed = store.number(u"SELECT max(no) FROM instances"_s);
        QVERIFY(committed >= before);
        QCOMPARE(rig.leases().instanceNo(), committed);
    }

    void aMessageThatCannotBeGivenBackStopsNoOther()
    {
        TestStore store;
        goneInstance(store);
        orphan(store, u"bad"_s, 1, 0);
        orphan(store, u"good"_s, 1, 0);
        store.execute(u"CREATE TRIGGER refusal BEFORE UPDATE ON jobs WHEN new.id = 'bad' "
                      "BEGIN SELECT RAISE(ABORT, 'not this'); END"_s);
        QueueRig rig(jobSettings(), &store);
        rig.addJob(u"count"_s, [](const ClaimedJob&) { return HandlerOutcome(); });
        rig.settle();
        QCOMPARE(store.text(u"SELECT status FROM jobs WHERE id = 'good'"_s), u"done"_s);
        QCOMPARE(store.number(u"SELECT ended_at_ms IS NULL FROM instances WHERE no = 7"_s), 1);
        store.execute(u"DROP TRIGGER refusal"_s);
        rig.pass(15'000);
        QCOMPARE(store.text(u"SELECT status FROM jobs WHERE id = 'bad'"_s), u"done"_s);
    }

    void aLeaseIsRenewedWhileTheEngineLives()
    {
        TestStore store;
        QueueRig rig(jobSettings(), &store);
        rig.settle();
        const qint64 first =
            store.number(u"SELECT lease_until_ms FROM instances WHERE ended_at_ms IS NULL"_s);
        rig.clock.advance(10'000);
        rig.settle();
        QCOMPARE(store.number(u"SELECT lease_until_ms FROM instances WHERE ended_at_ms IS NULL"_s),
                 first + 10'000);
    }

    void aLivingEngineKeepsWhatItHoldsUntilItsLeaseEnds()
    {
        TestStore store;
        QueueRig one(jobSettings(), &store);
        auto blocked = std::make_shared<BlockedJob>();
        one.registry.add(u"blocked"_s, std::static_pointer_cast<BlockingHandler>(blocked));
        one.enqueue(u"blocked"_s);
        QVERIFY(blocked->began.get_future().wait_for(std::chrono::seconds(10)) == std::future_status::ready);

        QueueRig two(jobSettings(), &store);
        int runs = 0;
        two.addJob(u"blocked"_s, [&runs](const ClaimedJob&) {
            ++runs;
            return HandlerOutcome();
        });
        two.settle();
        two.clock.advance(29'999);
        two.settle();
        QCOMPARE(runs, 0);
        two.clock.advance(15'001); // the first one stopped renewing, as when it is suspended
        two.settle();
        QCOMPARE(runs, 1);
        QCOMPARE(store.text(u"SELECT status FROM jobs"_s), u"done"_s);
        blocked->letGo();
        QTRY_COMPARE((one.settle(), one.consumer().openBatches()), 0);
        QCOMPARE(store.number(u"SELECT count(*) FROM job_attempts WHERE outcome = 'done'"_s), 1);
    }

    void anotherBootsLeaseHasEnded()
    {
        TestStore store;
        store.execute(
            u"INSERT INTO instances (no, owner, host, pid, version, boot_id, started_at_ms, lease_until_ms) "
            "VALUES (7, 'gone', 'h', 1, '0', 'another boot', 1, 9000000000000)"_s);
        orphan(store, u"j"_s, 1, 0);
        QueueRig rig(jobSettings(), &store);
        rig.addJob(u"count"_s, [](const ClaimedJob&) { return HandlerOutcome(); });
        rig.settle();
        QCOMPARE(store.text(u"SELECT status FROM jobs"_s), u"done"_s);
    }
};

QTEST_GUILESS_MAIN(LeaseTest)
#include "lease_test.moc"
