// What the database refuses, by a constraint or a trigger of the user's, concerns one row and no other.
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
    return settings;
}

class DoneJob final : public BlockingHandler
{
public:
    HandlerOutcome run(const ClaimedJob&, const StopSignal&) override { return {}; }
};

class SideHandler final : public StoreHandler
{
public:
    Result<HandlerOutcome> run(const ClaimedJob& job, Cycle& cycle) override
    {
        auto first = cycle.db.query("INSERT INTO side VALUES ('before ' || ?)");
        REDRIVE_TRY(first.bind(job.type).run());
        auto second = cycle.db.query("INSERT INTO side VALUES (?)");
        REDRIVE_TRY(second.bind(job.type).run());
        cycle.afterCommit.push_back([this] { ++told; });
        return HandlerOutcome{};
    }

    int told = 0;
};

void refuse(TestStore& store, const QString& change, const QString& when)
{
    store.execute(u"CREATE TRIGGER refusal BEFORE %1 ON jobs WHEN %2 "
                  "BEGIN SELECT RAISE(ABORT, 'not these'); END"_s.arg(change, when));
}

QString statusOf(QueueRig& rig, const QString& type)
{
    return rig.store().text(u"SELECT status FROM jobs WHERE type = '%1'"_s.arg(type));
}

} // namespace

class RefusedRowsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aSubmissionIsRefusedAlone()
    {
        QueueRig rig(jobSettings());
        rig.settle();
        refuse(rig.store(), u"INSERT"_s, u"new.type = 'bad'"_s);
        QStringList answers;
        for (const QString& type : {u"one"_s, u"bad"_s, u"two"_s}) {
            JobSubmission submission;
            submission.jobs = {{type, "{}", {}}};
            submission.reply = [&answers, type](Result<EnqueuedJobs> answer) {
                answers.append(type + (answer ? u" ok"_s : u' ' + answer.error().text()));
            };
            rig.inbox().enqueue(std::move(submission));
        }
        QVERIFY(!rig.control().turn());
        QCOMPARE(answers.size(), 0);
        rig.clock.advance(1'000);
        QVERIFY(rig.control().turn()); // one more turn is enough for all
        QCOMPARE(answers.size(), 3);
        QCOMPARE(answers[0], u"one ok"_s);
        QVERIFY2(answers[1].contains(u"not these"_s), qPrintable(answers[1]));
        QCOMPARE(answers[2], u"two ok"_s);
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM jobs"_s), 2);
    }

    void aBatchIsRefusedWhole()
    {
        QueueRig rig(jobSettings());
        rig.settle();
        refuse(rig.store(), u"INSERT"_s, u"new.type = 'bad'"_s);
        QStringList answers;
        const auto submit = [&](const QStringList& types) {
            JobSubmission submission;
            for (const QString& type : types)
                submission.jobs.push_back({type, "{}", {}});
            submission.reply = [&answers](Result<EnqueuedJobs> answer) {
                answers.append(answer ? QString::number(answer->ids.size()) : answer.error().text());
            };
            rig.inbox().enqueue(std::move(submission));
        };
        submit({u"one"_s, u"two"_s});
        submit({u"three"_s, u"four"_s, u"bad"_s, u"five"_s});
        submit({u"six"_s});
        QTRY_VERIFY((rig.pass(1'000), answers.size() == 3));
        QCOMPARE(answers[0], u"2"_s);
        QVERIFY2(answers[1].contains(u"not these"_s), qPrintable(answers[1]));
        QCOMPARE(answers[2], u"1"_s);
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM jobs"_s), 3);
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM messages"_s), 3);
    }

    void whatWaitsIsAnsweredWhenNoTurnFollows()
    {
        QueueRig rig(jobSettings());
        rig.settle();
        QString kind;
        JobSubmission submission;
        submission.jobs = {{u"t"_s, "{}", {}}};
        submission.reply = [&kind](Result<EnqueuedJobs> answer) { kind = answer.error().detail; };
        rig.inbox().enqueue(std::move(submission));
        rig.inbox().refuseWaiting();
        QCOMPARE(kind, u"stopping"_s);
        rig.settle();
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM jobs"_s), 0);
    }

    void jobsInsideOneTurnAreRefusedAlone()
    {
        QueueRig rig(jobSettings());
        const auto handler = std::make_shared<SideHandler>();
        for (const QString& type : {u"one"_s, u"bad"_s, u"two"_s})
            rig.registry.add(type, handler);
        rig.settle();
        rig.store().execute(u"CREATE TABLE side (type TEXT NOT NULL CHECK (type <> 'bad'))"_s);
        for (const QString& type : {u"one"_s, u"bad"_s, u"two"_s})
            rig.enqueue(type);
        rig.settle(); // no turn fails for it
        QCOMPARE(statusOf(rig, u"one"_s), u"done"_s);
        QCOMPARE(statusOf(rig, u"two"_s), u"done"_s);
        QCOMPARE(handler->told, 2);
        QTRY_COMPARE((rig.pass(10'000), statusOf(rig, u"bad"_s)), u"dead"_s);
        QVERIFY(rig.store().text(u"SELECT error FROM dead_letters"_s).contains(u"CHECK"_s));
        QCOMPARE(rig.store().text(u"SELECT group_concat(type) FROM side"_s),
                 u"before one,one,before two,two"_s);
    }

    void anOutcomeThatCannotBeRecordedIsAFailureOfItsJobAlone()
    {
        QueueRig rig(jobSettings());
        rig.registry.add(u"bad"_s, std::make_shared<DoneJob>());
        rig.registry.add(u"good"_s, std::make_shared<DoneJob>());
        rig.settle();
        refuse(rig.store(), u"UPDATE"_s, u"new.type = 'bad' AND new.status = 'done'"_s);
        rig.enqueue(u"bad"_s);
        rig.enqueue(u"good"_s);
        QTRY_COMPARE((rig.pass(1'000), statusOf(rig, u"good"_s)), u"done"_s);
        QTRY_COMPARE((rig.pass(10'000), statusOf(rig, u"bad"_s)), u"dead"_s);
        QVERIFY(rig.store().text(u"SELECT error FROM dead_letters"_s).contains(u"not these"_s));
    }

    void anAttemptThatCannotEndIsTriedAgain()
    {
        QueueRig rig(jobSettings());
        rig.registry.add(u"bad"_s, std::make_shared<DoneJob>());
        rig.registry.add(u"good"_s, std::make_shared<DoneJob>());
        rig.settle();
        refuse(rig.store(), u"UPDATE"_s, u"new.type = 'bad' AND new.status != 'processing'"_s);
        rig.enqueue(u"bad"_s);
        rig.enqueue(u"good"_s);
        QTRY_COMPARE((rig.pass(1'000), statusOf(rig, u"good"_s)), u"done"_s);
        QCOMPARE(statusOf(rig, u"bad"_s), u"processing"_s);
        rig.store().execute(u"DROP TRIGGER refusal"_s);
        QTRY_COMPARE((rig.pass(10'000), statusOf(rig, u"bad"_s)), u"done"_s);
    }

    void aJobThatCannotBeginWaits_data()
    {
        QTest::addColumn<bool>("blocking");
        QTest::addColumn<QString>("when");
        QTest::newRow("claimed") << true << u"new.type = 'bad' AND new.status = 'processing'"_s;
        QTest::newRow("inside the turn") << false << u"new.type = 'bad' AND new.status = 'done'"_s;
    }
    void aJobThatCannotBeginWaits()
    {
        QFETCH(bool, blocking);
        QFETCH(QString, when);
        QueueRig rig(jobSettings());
        for (const QString& type : {u"bad"_s, u"good"_s}) {
            if (blocking)
                rig.registry.add(type, std::make_shared<DoneJob>());
            else
                rig.addJob(type, [](const ClaimedJob&) { return HandlerOutcome(); });
        }
        rig.settle();
        refuse(rig.store(), u"UPDATE"_s, when);
        rig.store().execute(
            u"INSERT INTO queues (name, paused_at_ms, created_at_ms) VALUES ('jobs', 1, 1)"_s);
        rig.consumer().lookAtAll();
        rig.enqueue(u"bad"_s);
        rig.enqueue(u"good"_s);
        rig.store().execute(u"UPDATE queues SET paused_at_ms = NULL"_s);
        rig.consumer().lookAtAll();
        QTRY_COMPARE((rig.pass(1'000), statusOf(rig, u"good"_s)), u"done"_s);
        QCOMPARE(statusOf(rig, u"bad"_s), u"pending"_s);
        QVERIFY(rig.store().text(u"SELECT last_error FROM messages"_s).contains(u"not these"_s));
        rig.store().execute(u"DROP TRIGGER refusal"_s);
        QTRY_COMPARE((rig.pass(10'000), statusOf(rig, u"bad"_s)), u"done"_s);
        QCOMPARE(rig.store().number(u"SELECT attempts FROM jobs WHERE type = 'bad'"_s), 1);
    }

    void aBacklogIsNoSingleTurn()
    {
        QueueRig rig(jobSettings());
        rig.addJob(u"t"_s, [](const ClaimedJob&) { return HandlerOutcome(); });
        rig.settle();
        rig.store().execute(u"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200) "
                            "INSERT INTO jobs (id, type, payload) SELECT 'j' || i, 't', '{}' FROM n"_s);
        rig.store().execute(u"INSERT INTO messages (id, queue, is_job, size, sent_at_ms, visible_at_ms) "
                            "SELECT id, 'jobs', 1, 2, 1, 1 FROM jobs"_s);
        rig.consumer().lookAtAll();
        QVERIFY(rig.control().turn());
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM jobs WHERE status = 'done'"_s), 500);
        rig.settle();
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM jobs WHERE status = 'done'"_s), 1'200);
    }

    void aMessageWithoutAJobGoesRoundNoCycle()
    {
        Settings settings = jobSettings();
        settings.consumers = {consumerOf(u"a"_s, 5, 0, 2, u"b"_s), consumerOf(u"b"_s, 5, 0, 2, u"a"_s)};
        QueueRig rig(settings);
        rig.handle(u"a"_s);
        rig.handle(u"b"_s);
        rig.settle();
        rig.store().execute(u"INSERT INTO messages (id, queue, is_job, size, sent_at_ms, visible_at_ms) "
                            "VALUES ('ghost', 'a', 1, 2, 1, 1)"_s);
        rig.consumer().lookAtAll();
        for (int turns = 0; turns < 20; ++turns)
            rig.control().turn();
        QCOMPARE(rig.store().text(u"SELECT group_concat(source_queue) FROM dead_letters"_s), u"a"_s);
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM messages"_s), 0);
    }

    void theQueuesDeliveryDelayHoldsUnlessTheJobSaysOtherwise()
    {
        Settings settings = jobSettings();
        settings.queues[u"jobs"_s].deliveryDelayMs = 60'000;
        QueueRig rig(settings);
        QStringList ran;
        rig.addJob(u"t"_s, [&ran](const ClaimedJob& job) {
            ran.append(QString::fromUtf8(job.payload));
            return HandlerOutcome();
        });
        rig.enqueue(u"t"_s, "1");
        rig.enqueue(u"t"_s, "2", 0);
        rig.pass(59'000);
        QCOMPARE(ran, QStringList{u"2"_s});
        rig.pass(1'000);
        QCOMPARE(ran, (QStringList{u"2"_s, u"1"_s}));
    }

    void whatBecameDueDuringSleepRunsAtOnce()
    {
        QueueRig rig(jobSettings());
        int runs = 0;
        rig.addJob(u"t"_s, [&runs](const ClaimedJob&) {
            ++runs;
            return HandlerOutcome();
        });
        rig.enqueue(u"t"_s, "{}", 3'600'000);
        rig.pass(1'000);
        rig.clock.jumpWall(3'600'000); // the steady clock stands still while the machine sleeps
        rig.clock.advance(200);
        rig.settle();
        QCOMPARE(runs, 1);
    }
};

QTEST_GUILESS_MAIN(RefusedRowsTest)
#include "refused_rows_test.moc"
