#include "tests/engine/gate_fixture.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;

namespace {

// Waiting jobs w…, delayed ones d…, messages in flight f…, plain messages p….
void fill(GateFixture& f, int waiting, int delayed = 0, int inFlight = 0, int plain = 0)
{
    const auto add = [&](const QString& prefix, int count, const QString& status, const QString& visible,
                         const QString& lease, bool isJob) {
        const QString numbers =
            u"WITH RECURSIVE n(i) AS (SELECT 1 WHERE %1 > 0 UNION ALL SELECT i + 1 FROM n WHERE i < %1) "_s
                .arg(count);
        if (isJob)
            f.store.execute(numbers + u"INSERT INTO jobs (id, type, status, queue, created_at_ms, "
                                      "updated_at_ms) SELECT '%1' || i, 't', '%2', 'jobs', 1, 1 FROM n"_s.arg(
                                          prefix, status));
        f.store.execute(numbers + u"INSERT INTO messages (id, queue, is_job, size, sent_at_ms, "
                                  "visible_at_ms, lease_instance) SELECT '%1' || i, 'jobs', %2, 10, 5, %3, "
                                  "%4 FROM n"_s.arg(prefix)
                                      .arg(isJob)
                                      .arg(visible, lease));
    };
    add(u"w"_s, waiting, u"pending"_s, u"5"_s, u"NULL"_s, true);
    add(u"d"_s, delayed, u"pending"_s, u"9000000000000"_s, u"NULL"_s, true);
    add(u"f"_s, inFlight, u"processing"_s, u"5"_s, u"7"_s, true);
    add(u"p"_s, plain, {}, u"5"_s, u"NULL"_s, false);
}

ActionRequest purge(std::optional<qint64> cutoff = {})
{
    ActionRequest asked = GateFixture::queueRequest(ActionVerb::PurgeQueue, u"jobs"_s);
    asked.scope.cutoff = cutoff;
    return asked;
}

} // namespace

class PurgeTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void whatWaitsGoesAndWhatIsInFlightStays()
    {
        GateFixture f;
        fill(f, 3, 2, 1, 2);
        const auto plan = f.gate.plan(f.store.db(), purge(), 10);
        QVERIFY(plan);
        QCOMPARE(plan->total, 8);
        QCOMPARE(plan->willAct, 7);
        QCOMPARE(plan->skipped, (QList<std::pair<QString, int>>{{u"in flight: it finishes"_s, 1}}));
        const auto result = f.act(purge());
        QVERIFY(result);
        QCOMPARE(result->succeeded, 7);
        QCOMPARE(result->total, 7);
        QCOMPARE(result->refusedCount, 0);
        QCOMPARE(f.store.text(u"SELECT group_concat(id) FROM messages"_s), u"f1"_s);
        QCOMPARE(
            f.store.number(u"SELECT count(*) FROM jobs WHERE status = 'cancelled' AND reason = 'purged'"_s),
            5);
        QCOMPARE(f.store.text(u"SELECT status FROM jobs WHERE id = 'f1'"_s), u"processing"_s);
        QCOMPARE(f.store.text(u"SELECT verb || ' ' || target || ' ' || count || ' ' || result FROM audit"_s),
                 u"purge jobs 7 7 done"_s);
        QCOMPARE(f.store.number(u"SELECT messages * 1000 + bytes FROM queue_backlog WHERE queue = 'jobs'"_s),
                 1010);
    }

    void lettersAndTheirJobsStay()
    {
        GateFixture f;
        f.addDeadJob(u"a"_s);
        ActionRequest asked = GateFixture::queueRequest(ActionVerb::PurgeQueue, u"jobs-dlq"_s);
        const auto result = f.act(asked);
        QVERIFY(result);
        QCOMPARE(result->succeeded, 1);
        QCOMPARE(f.store.number(u"SELECT count(*) FROM messages"_s), 0);
        QCOMPARE(f.store.text(u"SELECT status || ' ' || reason FROM jobs"_s), u"dead retries_used_up"_s);
        QCOMPARE(f.store.text(u"SELECT state FROM dead_letters"_s), u"open"_s);
    }

    // The set is frozen: what is sent while it runs, and what comes back, is not touched.
    void goesInSlicesUpToTheCutoff()
    {
        GateFixture f;
        fill(f, 2'500, 0, 1);
        f.gate.submit(purge(), [](const auto&) {});
        QVERIFY(f.turn());
        QCOMPARE(f.store.number(u"SELECT count(*) FROM messages"_s), 2'501 - 1'000);
        f.store.execute(u"INSERT INTO messages (id, queue, is_job, size, sent_at_ms, visible_at_ms) "
                        "VALUES ('new', 'jobs', 0, 1, 5, 5)"_s);
        QVERIFY(f.settle() > 1);
        QCOMPARE(f.store.text(u"SELECT group_concat(id) FROM messages"_s), u"f1,new"_s);
        QCOMPARE(f.store.text(u"SELECT state || ' ' || total || ' ' || succeeded FROM redrives"_s),
                 u"done 2500 2500"_s);
    }

    void theCutoffOfThePlanCounts()
    {
        GateFixture f;
        fill(f, 2);
        const auto plan = f.gate.plan(f.store.db(), purge(), 10);
        QVERIFY(plan && plan->cutoff);
        fill(f, 0, 0, 0, 3);
        const auto result = f.act(purge(plan->cutoff));
        QCOMPARE(result->succeeded, 2);
        QCOMPARE(f.store.number(u"SELECT count(*) FROM messages"_s), 3);
    }

    void anotherEngineGoesOnWhereItStood()
    {
        GateFixture f;
        fill(f, 1'500);
        f.gate.submit(purge(), [](const auto&) {});
        QVERIFY(f.turn());
        CommandGate next({u"jobs"_s});
        while (next.hasWork(0, 0))
            QVERIFY(runLoneTurn(f.store.db(), f.clock, [&](Cycle& cycle) { return next.apply(cycle); }));
        QCOMPARE(f.store.number(u"SELECT count(*) FROM messages"_s), 0);
        QCOMPARE(f.store.number(u"SELECT succeeded FROM redrives"_s), 1'500);
        QCOMPARE(f.store.number(u"SELECT count(*) FROM audit"_s), 1);
    }

    void oneThatTheDatabaseRefusesIsListed()
    {
        GateFixture f;
        fill(f, 3);
        f.store.execute(u"CREATE TRIGGER guard BEFORE UPDATE ON jobs WHEN OLD.id = 'w2' BEGIN "
                        "SELECT RAISE(ABORT, 'keep it'); END"_s);
        const auto result = f.act(purge());
        QCOMPARE(result->succeeded, 2);
        QCOMPARE(result->refusedCount, 1);
        QCOMPARE(result->refused.size(), 1);
        QCOMPARE(result->refused[0].id, u"w2"_s);
        QVERIFY2(result->refused[0].why.contains(u"keep it"_s), qPrintable(result->refused[0].why));
        QCOMPARE(f.store.text(u"SELECT m.id || j.status FROM messages m JOIN jobs j ON j.id = m.id"_s),
                 u"w2pending"_s);
    }

    void anEmptyQueueAndAnUnknownOne()
    {
        GateFixture f;
        const auto empty = f.act(purge());
        QVERIFY(empty);
        QCOMPARE(empty->total, 0);
        QCOMPARE(empty->refusedCount, 0);
        const auto unknown = f.act(GateFixture::queueRequest(ActionVerb::PurgeQueue, u"nowhere"_s));
        QVERIFY(unknown);
        QCOMPARE(unknown->succeeded, 0);
        QCOMPARE(unknown->refused.size(), 1);
        QCOMPARE(unknown->refused[0].id, u"nowhere"_s);
        QCOMPARE(unknown->refused[0].why, u"is not a queue that is declared or holds messages"_s);
        QVERIFY(!f.gate.hasWork(0, 0));
    }
};

QTEST_GUILESS_MAIN(PurgeTest)
#include "purge_test.moc"
