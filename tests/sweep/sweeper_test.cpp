#include "tests/support/queue_rig.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;
using namespace Qt::Literals::StringLiterals;

namespace {

Settings jobSettings()
{
    Settings settings;
    settings.consumers = {consumerOf(u"jobs"_s, 10, 0, 3, u"jobs-dlq"_s)};
    settings.jobsQueue = u"jobs"_s;
    settings.crons = {u"*/5 * * * *"_s};
    return settings;
}

} // namespace

class SweeperTest : public QObject
{
    Q_OBJECT

    // A rig whose jobs only count their runs, past the sweep at start.
    struct Sweeping
    {
        Sweeping() : rig(jobSettings())
        {
            rig.addJob(u"count"_s, [this](const ClaimedJob& job) {
                runs.append(job.id);
                return HandlerOutcome();
            });
            rig.settle();
        }
        qint64 nowS() const { return rig.clock.wallMs() / 1000; }
        void row(const QString& id, const QString& status, qint64 ageS, const QString& more = u"''"_s)
        {
            rig.store().execute(
                u"INSERT INTO jobs (id, type, status, payload, created_at, updated_at, error) "
                "VALUES ('%1', 'count', '%2', '{}', %3, %3, %4)"_s.arg(id, status)
                    .arg(nowS() - ageS)
                    .arg(more));
        }
        QString status(const QString& id)
        {
            return rig.store().text(u"SELECT status FROM jobs WHERE id = '%1'"_s.arg(id));
        }

        QueueRig rig;
        QStringList runs;
    };

private Q_SLOTS:
    void aLostMessageIsMadeAgain()
    {
        Sweeping s;
        s.row(u"old"_s, u"pending"_s, 121);
        s.row(u"young"_s, u"pending"_s, 100);
        s.rig.pass(1);
        QCOMPARE(s.runs.size(), 0);
        s.rig.clock.advance(0);
        s.rig.store().execute(u"UPDATE jobs SET updated_at = updated_at + 300 WHERE id = 'young'"_s);
        s.rig.pass(300'000);
        QCOMPARE(s.runs, QStringList{u"old"_s});
        QCOMPARE(s.status(u"old"_s), u"done"_s);
        QCOMPARE(s.status(u"young"_s), u"pending"_s);
        QCOMPARE(s.rig.store().text(u"SELECT cause FROM sweeps ORDER BY no DESC LIMIT 1"_s), u"cron"_s);
        QCOMPARE(s.rig.store().number(u"SELECT sum(published) FROM sweeps"_s), 1);
    }

    void whatTheStartFindsIsRepairedAtOnce()
    {
        TestStore store;
        store.execute(u"INSERT INTO jobs (id, type, status, payload, created_at, updated_at) "
                      "VALUES ('lost', 'count', 'pending', '{}', 1, 1)"_s);
        QueueRig rig(jobSettings(), &store);
        int runs = 0;
        rig.addJob(u"count"_s, [&runs](const ClaimedJob&) {
            ++runs;
            return HandlerOutcome();
        });
        rig.settle();
        QCOMPARE(runs, 1);
    }

    void theSweepAtStartIsMadeUpWhenItsTurnFails()
    {
        TestStore store;
        store.execute(u"INSERT INTO jobs (id, type, status, payload, created_at, updated_at) VALUES "
                      "('lost', 'count', 'pending', '{}', 1, 1), ('bad', 'count', 'pending', '{}', 1, 1)"_s);
        store.execute(u"INSERT INTO messages (id, queue, is_job, size, sent_at_ms, visible_at_ms) VALUES "
                      "('bad', 'jobs', 1, 2, 1, 1)"_s);
        store.execute(u"CREATE TRIGGER refusal BEFORE UPDATE ON jobs WHEN new.id = 'bad' "
                      "BEGIN SELECT RAISE(ABORT, 'not this'); END"_s);
        QueueRig rig(jobSettings(), &store);
        rig.addJob(u"count"_s, [](const ClaimedJob&) { return HandlerOutcome(); });
        rig.settle();
        QCOMPARE(store.text(u"SELECT status FROM jobs WHERE id = 'lost'"_s), u"pending"_s);
        rig.clock.advance(1'000);
        rig.settle();
        QCOMPARE(store.text(u"SELECT status FROM jobs WHERE id = 'lost'"_s), u"done"_s);
    }

    void crashesSpendNoRetriesInAMessageMadeAgain()
    {
        Sweeping s;
        s.row(u"old"_s, u"pending"_s, 121);
        s.rig.store().execute(u"UPDATE jobs SET attempts = 3, crashes = 2"_s);
        s.rig.store().execute(
            u"INSERT INTO queues (name, paused_at_ms, created_at_ms) VALUES ('jobs', 1, 1)"_s);
        s.rig.consumer().lookAtAll();
        s.rig.pass(300'000);
        QCOMPARE(s.rig.store().text(u"SELECT attempts || ' ' || crashes FROM messages"_s), u"3 2"_s);
    }

    void processingWithoutALeaseGoesBackWithTheAttemptCounted()
    {
        Sweeping s;
        s.row(u"stuck"_s, u"processing"_s, 601);
        s.row(u"recent"_s, u"processing"_s, 10);
        s.rig.pass(300'000);
        QCOMPARE(s.runs, QStringList{u"stuck"_s});
        QCOMPARE(s.status(u"stuck"_s), u"done"_s);
        QCOMPARE(s.rig.store().number(u"SELECT attempts FROM jobs WHERE id = 'stuck'"_s), 2);
        QCOMPARE(
            s.rig.store().text(u"SELECT outcome FROM job_attempts WHERE job_id = 'stuck' AND attempt = 1"_s),
            u"lost"_s);
        QCOMPARE(s.status(u"recent"_s), u"processing"_s);
    }

    void aFullPageThatCannotBeRescuedBlocksNothing()
    {
        Sweeping s;
        s.rig.store().execute(u"CREATE TRIGGER refuse BEFORE INSERT ON messages WHEN new.id LIKE 'bad%' "
                              "BEGIN SELECT RAISE(ABORT, 'refused'); END"_s);
        s.rig.store().execute( // two pages of them
            u"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1100) "
            "INSERT INTO jobs (id, type, status, payload, created_at, updated_at) "
            "SELECT printf('bad%04d', i), 'count', 'pending', '{}', %1, %1 FROM n"_s.arg(s.nowS() - 1'000));
        s.row(u"good"_s, u"pending"_s, 1'000);
        s.rig.pass(300'000);
        QCOMPARE(s.runs, QStringList{u"good"_s});
        QCOMPARE(s.rig.store().number(u"SELECT max(unrescuable) FROM sweeps"_s), 1'100);
    }

    void moreThanOnePageIsWorkedThrough()
    {
        Sweeping s;
        for (int i = 0; i < 1'234; ++i)
            s.row(u"lost%1"_s.arg(i, 5, 10, QChar(u'0')), u"pending"_s, 1'000);
        s.rig.pass(300'000);
        QCOMPARE(s.runs.size(), 1'234);
    }

    void twoSweepsAtOnceMakeOneMessage()
    {
        TestStore store;
        QueueRig one(jobSettings(), &store);
        QueueRig two(jobSettings(), &store);
        int runs = 0;
        for (QueueRig* rig : {&one, &two})
            rig->addJob(u"count"_s, [&runs](const ClaimedJob&) {
                ++runs;
                return HandlerOutcome();
            });
        store.execute(u"INSERT INTO jobs (id, type, status, payload, created_at, updated_at) "
                      "VALUES ('lost', 'count', 'pending', '{}', 1, 1)"_s);
        one.settle();
        two.settle();
        one.settle();
        QCOMPARE(runs, 1);
        QCOMPARE(store.number(u"SELECT count(*) FROM job_attempts"_s), 1);
    }

    void backoffBacklogTransitAndRunningAreLeftAlone()
    {
        Settings settings = jobSettings();
        settings.consumers.append(consumerOf(u"waiting"_s, 100, 60'000, 3));
        settings.handlers.insert(u"waits"_s, {{}, {}, u"nowhere"_s, {}, {}});
        QueueRig rig(settings);
        rig.addJob(u"fails"_s, [](const ClaimedJob&) {
            HandlerOutcome outcome;
            outcome.result = HandlerResult::Transient;
            outcome.error = u"no"_s;
            outcome.retryDelayMs = 3'600'000;
            return outcome;
        });
        rig.addJob(u"dies"_s, [](const ClaimedJob&) {
            HandlerOutcome outcome;
            outcome.result = HandlerResult::Permanent;
            return outcome;
        });
        const QString inBackoff = rig.enqueue(u"fails"_s);
        const QString inBacklog = rig.enqueue(u"waits"_s);
        const QString inTransit = rig.enqueue(u"dies"_s);
        rig.store().execute(
            u"INSERT INTO instances (owner, host, pid, version, boot_id, started_at_ms, lease_until_ms) "
            "VALUES ('other', 'h', 1, '0', 'b', 1, 1)"_s);
        const QString before = rig.store().text(
            u"SELECT group_concat(id || status || attempts || coalesce(due_at_ms, 0)) FROM jobs"_s);
        const QString messages = rig.store().text(
            u"SELECT group_concat(seq || queue || visible_at_ms || attempts) FROM messages"_s);
        rig.pass(1'800'000);
        QCOMPARE(rig.store().text(
                     u"SELECT group_concat(id || status || attempts || coalesce(due_at_ms, 0)) FROM jobs"_s),
                 before);
        QCOMPARE(rig.store().text(
                     u"SELECT group_concat(seq || queue || visible_at_ms || attempts) FROM messages"_s),
                 messages);
        QCOMPARE(rig.store().number(u"SELECT sum(published + rescued) FROM sweeps"_s), 0);
        QVERIFY(!inBackoff.isEmpty() && !inBacklog.isEmpty() && !inTransit.isEmpty());
    }

    // Another process holds the store for ten minutes; afterwards the crons go on at their pace.
    void cronsGoOnAfterStoreErrors()
    {
        Sweeping s;
        const auto sweeps = [&s] { return s.rig.store().number(u"SELECT count(*) FROM sweeps"_s); };
        const qint64 before = sweeps();
        s.row(u"lost"_s, u"pending"_s, 1'000);
        s.rig.db().setBusyTimeout(0);
        const auto other = s.rig.store().openWriter();
        QVERIFY(other->execute(u"BEGIN IMMEDIATE"_s));
        const auto pass = [&s](qint64 ms) {
            for (qint64 passed = 0; passed < ms; passed += 1'000) {
                s.rig.clock.advance(1'000);
                s.rig.settle();
            }
        };
        pass(600'000);
        QCOMPARE(sweeps(), before);
        QVERIFY(other->execute(u"ROLLBACK"_s));
        pass(2'000);
        QCOMPARE(sweeps(), before + 1);
        QCOMPARE(s.status(u"lost"_s), u"done"_s);
        pass(600'000);
        QCOMPARE(sweeps(), before + 3);
    }

    void aTickMissedWhileAsleepRunsOnce()
    {
        Sweeping s;
        const qint64 before = s.rig.store().number(u"SELECT count(*) FROM sweeps"_s);
        s.rig.clock.advance(3 * 3'600'000);
        s.rig.settle();
        QCOMPARE(s.rig.store().number(u"SELECT count(*) FROM sweeps"_s), before + 1);
    }
};

QTEST_GUILESS_MAIN(SweeperTest)
#include "sweeper_test.moc"
