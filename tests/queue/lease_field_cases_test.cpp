// Cases that others reported of work whose worker was slow or gone.
#include "core/base/clock.h"
#include "core/store/job_read_store.h"
#include "tests/support/queue_rig.h"

#include <QTest>

#include <future>

using namespace redrive;
using namespace redrive::test;

namespace {

Settings jobSettings(int retries = 3)
{
    Settings settings;
    settings.consumers = {consumerOf(u"jobs"_s, 100, 0, retries, u"jobs-dlq"_s)};
    settings.jobsQueue = u"jobs"_s;
    settings.crons = {u"*/5 * * * *"_s};
    return settings;
}

// Has no time limit and ends when the test lets it.
class LongJob final : public BlockingHandler
{
public:
    HandlerOutcome run(const ClaimedJob&, const StopSignal&) override
    {
        ++runs;
        m_gone.wait();
        return {};
    }
    qint64 timeLimitMs() const override { return 0; }
    void letGo() { m_go.set_value(); }

    std::atomic<int> runs = 0;

private:
    std::promise<void> m_go;
    std::shared_future<void> m_gone = m_go.get_future().share();
};

// Engines of this boot that are gone, from `first`, and what each of them had begun.
void orphans(TestStore& store, int first, int engines, int jobsEach)
{
    const QString numbers =
        u"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %1 - 1) "_s;
    store.execute(
        numbers.arg(engines) +
        u"INSERT INTO instances (no, owner, host, pid, version, boot_id, started_at_ms, "
        "lease_until_ms) SELECT %1 + i, 'gone-' || i, 'h', 1, '0', '%2', 1, 9000000000000 FROM n"_s.arg(first)
            .arg(bootId()));
    store.execute(
        numbers.arg(engines * jobsEach) +
        u"INSERT INTO jobs (id, type, status, payload, queue, attempts, created_at_ms, "
        "updated_at_ms) SELECT printf('job-%05d', i), 't', 'processing', '{}', 'jobs', 1, 1899999000000 + i, "
        "1899999000000 + i FROM n"_s);
    store.execute(numbers.arg(engines * jobsEach) +
                  u"INSERT INTO messages (id, queue, is_job, size, sent_at_ms, visible_at_ms, attempts, "
                  "lease_instance, claim_no, claimed_at_ms) SELECT printf('job-%05d', i), 'jobs', 1, 2, "
                  "1900000000000, 1, 1, %1 + i % %2, 1, 1 FROM n"_s.arg(first)
                      .arg(engines));
}

} // namespace

class LeaseFieldCasesTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    // Half an hour, sixty times the lease, beside another engine that looks for orphans and sweeps.
    void aLongJobRunsOnceWhileItsEngineRenews()
    {
        TestStore store;
        QueueRig one(jobSettings(), &store);
        QueueRig two(jobSettings(), &store);
        const auto slow = std::make_shared<LongJob>();
        for (QueueRig* rig : {&one, &two})
            rig->registry.add(u"slow"_s, std::static_pointer_cast<BlockingHandler>(slow));
        one.enqueue(u"slow"_s);
        QTRY_COMPARE(slow->runs.load(), 1);
        for (int seconds = 0; seconds < 1'800; seconds += 10) {
            for (QueueRig* rig : {&one, &two}) {
                rig->clock.advance(10'000);
                rig->settle();
            }
        }
        QCOMPARE(slow->runs.load(), 1);
        QCOMPARE(store.number(u"SELECT attempts FROM jobs WHERE status = 'processing'"_s), 1);
        QVERIFY(store.number(u"SELECT count(*) FROM sweeps WHERE cause = 'cron'"_s) >= 10);
        QCOMPARE(store.number(u"SELECT sum(published + rescued) FROM sweeps"_s), 0);
        slow->letGo();
        QTRY_COMPARE((one.settle(), store.text(u"SELECT status || ' ' || attempts FROM jobs"_s)),
                     u"done 1"_s);
        QCOMPARE(slow->runs.load(), 1);
    }

    // The same host, the same process id: an engine is told from the one before by its start.
    void aRestartUnderTheSameNameTakesItsOrphans()
    {
        TestStore store;
        const auto slow = std::make_shared<LongJob>();
        {
            QueueRig former(jobSettings(0), &store);
            former.registry.add(u"t"_s, std::static_pointer_cast<BlockingHandler>(slow));
            former.enqueue(u"t"_s);
            QTRY_COMPARE(slow->runs.load(), 1);
            slow->letGo(); // so that its thread can end; nobody hears of it any more
            former.crash();
        }
        QCOMPARE(store.text(u"SELECT status FROM jobs"_s), u"processing"_s);
        QueueRig next(jobSettings(0), &store);
        int attempt = 0;
        next.addJob(u"t"_s, [&attempt](const ClaimedJob& job) {
            attempt = job.attempt;
            return HandlerOutcome();
        });
        next.settle();
        QCOMPARE(attempt, 2);
        QCOMPARE(store.text(u"SELECT status || ' ' || crashes FROM jobs"_s), u"done 1"_s);
        QCOMPARE(
            store.text(u"SELECT count(*) || ' ' || count(DISTINCT owner) || ' ' || count(DISTINCT host) || "
                       "' ' || count(DISTINCT pid) FROM instances"_s),
            u"2 2 1 1"_s);
    }

    void thousandsOfOrphansOfManyEnginesAllRun()
    {
        TestStore store;
        orphans(store, 1'000, 59, 87); // 5,133 jobs
        QueueRig rig(jobSettings(), &store);
        int runs = 0;
        rig.addJob(u"t"_s, [&runs](const ClaimedJob&) {
            ++runs;
            return HandlerOutcome();
        });
        rig.settle();
        QCOMPARE(runs, 5'133);
        QCOMPARE(store.number(u"SELECT count(*) FROM jobs WHERE status = 'done' AND attempts = 2"_s), 5'133);
        QCOMPARE(store.number(u"SELECT count(*) FROM instances WHERE ended_at_ms IS NULL"_s), 1);
        QCOMPARE(rig.sinceStart(), 0);
    }

    void twoEnginesTakeAnOrphanOnce()
    {
        TestStore store;
        QueueRig one(jobSettings(), &store);
        QueueRig two(jobSettings(), &store);
        int runs = 0;
        for (QueueRig* rig : {&one, &two}) {
            rig->addJob(u"t"_s, [&runs](const ClaimedJob&) {
                ++runs;
                return HandlerOutcome();
            });
            rig->settle();
        }
        orphans(store, 1'000, 1, 1);
        for (QueueRig* rig : {&one, &two}) // both look for it now
            rig->clock.advance(15'000);
        one.control().turn();
        two.control().turn();
        one.settle();
        two.settle();
        QCOMPARE(runs, 1);
        QCOMPARE(
            store.text(u"SELECT group_concat(attempt || ' ' || outcome) FROM (SELECT * FROM job_attempts "
                       "ORDER BY attempt)"_s),
            u"1 crashed,2 done"_s);
    }

    // Job 2 is orphaned, 3 is done, 2 is rescued: it keeps its age and says what befell it.
    void aRescuedJobKeepsItsAge()
    {
        TestStore store;
        orphans(store, 1'000, 1, 1);
        store.execute(u"INSERT INTO jobs (id, type, status, attempts, created_at_ms, updated_at_ms) "
                      "VALUES ('job-00001', 't', 'done', 1, 1899999000001, 1899999000001)"_s);
        QueueRig rig(jobSettings(), &store);
        rig.addJob(u"t"_s, [](const ClaimedJob&) { return HandlerOutcome(); });
        rig.settle();
        const auto older = job_read_store::row(store.db(), u"job-00000"_s, {});
        const auto newer = job_read_store::row(store.db(), u"job-00001"_s, {});
        QVERIFY(older && *older && newer && *newer);
        QVERIFY((*older)->createdAtMs < (*newer)->createdAtMs);
        QVERIFY((*older)->updatedAtMs > (*newer)->updatedAtMs);
        QCOMPARE((*older)->crashes, 1);
        const auto attempts = job_read_store::attempts(store.db(), **older);
        QCOMPARE(attempts->size(), 2);
        QCOMPARE(attempts->first().outcome, u"done"_s);
        QCOMPARE(attempts->last().outcome, u"crashed"_s);
    }
};

QTEST_GUILESS_MAIN(LeaseFieldCasesTest)
#include "lease_field_cases_test.moc"
