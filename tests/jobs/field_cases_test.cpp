// Cases that others reported of attempts, backoff and delays.
#include "tests/support/queue_rig.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;

Q_DECLARE_METATYPE(redrive::HandlerResult)

namespace {

Settings jobSettings(int retries = 3, int size = 10)
{
    Settings settings;
    settings.consumers = {consumerOf(u"jobs"_s, size, 0, retries, u"jobs-dlq"_s)};
    settings.jobsQueue = u"jobs"_s;
    return settings;
}

HandlerOutcome ended(HandlerResult result)
{
    HandlerOutcome outcome;
    outcome.result = result;
    outcome.error = u"no"_s;
    return outcome;
}

} // namespace

class JobsFieldCasesTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    // However the attempts end, as many are made as the queue grants, and the last one's end is heard of.
    void attemptsAreRetriesAndOne_data()
    {
        QTest::addColumn<int>("retries");
        QTest::addColumn<HandlerResult>("result");
        QTest::newRow("none") << 0 << HandlerResult::Transient;
        QTest::newRow("none, time limit") << 0 << HandlerResult::TimedOut;
        QTest::newRow("three") << 3 << HandlerResult::Transient;
        QTest::newRow("three, time limit") << 3 << HandlerResult::TimedOut;
    }
    void attemptsAreRetriesAndOne()
    {
        QFETCH(int, retries);
        QFETCH(HandlerResult, result);
        Settings settings = jobSettings(retries);
        settings.consumers.append(consumerOf(u"jobs-dlq"_s, 5, 3'600'000));
        QueueRig rig(settings);
        int runs = 0;
        rig.addJob(u"t"_s, [&](const ClaimedJob&) {
            ++runs;
            return ended(result);
        });
        rig.enqueue(u"t"_s);
        rig.pass(600'000);
        QCOMPARE(runs, retries + 1);
        QCOMPARE(rig.store().text(u"SELECT status || ' ' || attempts FROM jobs"_s),
                 u"dead %1"_s.arg(retries + 1));
        QCOMPARE(rig.store().text(u"SELECT attempts || ' of ' || max_attempts || ', ' || state FROM "
                                  "dead_letters"_s),
                 u"%1 of %1, open"_s.arg(retries + 1));
        QCOMPARE(rig.store().text(u"SELECT queue FROM messages"_s), u"jobs-dlq"_s);
    }

    void aRetryOfThreeSecondsRunsAfterThree()
    {
        QueueRig rig(jobSettings());
        QList<qint64> at;
        rig.addJob(u"t"_s, [&](const ClaimedJob& job) {
            at.append(rig.sinceStart());
            HandlerOutcome outcome = ended(job.attempt == 1 ? HandlerResult::Transient : HandlerResult::Done);
            outcome.retryDelayMs = 3'000;
            return outcome;
        });
        rig.enqueue(u"t"_s);
        rig.pass(600'000);
        QCOMPARE(at, (QList<qint64>{0, 3'000}));
    }

    // Nothing else ever comes that could wake the queue.
    void delayedJobsAloneRunOnTime()
    {
        QueueRig rig(jobSettings());
        QList<qint64> at;
        rig.addJob(u"t"_s, [&](const ClaimedJob&) {
            at.append(rig.sinceStart());
            return HandlerOutcome();
        });
        for (const qint64 delay : {90'000, 60'000})
            rig.enqueue(u"t"_s, "{}", delay);
        const qint64 start = rig.clock.steadyMs();
        QCOMPARE(rig.consumer().nextDeadline(), std::optional(start + 60'000));
        rig.jump(60'000);
        QCOMPARE(rig.consumer().nextDeadline(), std::optional(start + 90'000));
        rig.jump(30'000);
        QCOMPARE(at, (QList<qint64>{60'000, 90'000}));
    }

    void sixteenRetriesStayUnderTheCap()
    {
        QueueRig rig(jobSettings(16));
        QList<qint64> at;
        rig.addJob(u"t"_s, [&](const ClaimedJob&) {
            at.append(rig.sinceStart());
            return ended(HandlerResult::Transient);
        });
        rig.enqueue(u"t"_s);
        rig.pass(2 * 3'600'000);
        QCOMPARE(at.size(), 17);
        for (int i = 5; i < 16; ++i) {
            const qint64 waited = at[i + 1] - at[i];
            QVERIFY2(waited >= 300'000 && waited <= 330'000, qPrintable(QString::number(waited)));
        }
    }

    void oneOfTenFails()
    {
        QueueRig rig(jobSettings(0, 10));
        rig.addJob(u"t"_s, [](const ClaimedJob& job) {
            return ended(job.payload == "3" ? HandlerResult::Transient : HandlerResult::Done);
        });
        rig.store().execute(
            u"INSERT INTO queues (name, paused_at_ms, created_at_ms) VALUES ('jobs', 1, 1)"_s);
        for (int i = 0; i < 10; ++i)
            rig.enqueue(u"t"_s, QByteArray::number(i));
        rig.store().execute(u"UPDATE queues SET paused_at_ms = NULL"_s);
        rig.consumer().lookAtAll();
        rig.settle(); // one batch of ten
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM jobs WHERE status = 'done'"_s), 9);
        QCOMPARE(rig.store().text(u"SELECT payload FROM jobs WHERE status = 'dead'"_s), u"3"_s);
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM messages WHERE queue = 'jobs'"_s), 0);
    }

    // A queue that is full of jobs in backoff takes no more beside them.
    void whatWaitsForItsRetryFillsTheQueue()
    {
        Settings settings = jobSettings();
        settings.limits = {3, 1'000};
        QueueRig rig(settings);
        rig.addJob(u"t"_s, [](const ClaimedJob&) { return ended(HandlerResult::Transient); });
        for (int i = 0; i < 3; ++i)
            rig.enqueue(u"t"_s);
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM jobs WHERE reason = 'retry'"_s), 3);
        bool refused = false;
        JobSubmission submission;
        submission.jobs = {{u"t"_s, "{}", {}}};
        submission.reply = [&refused](const Result<EnqueuedJobs>& answer) {
            refused = !answer && answer.error().detail == u"backlog";
        };
        rig.inbox().enqueue(std::move(submission));
        rig.settle();
        QVERIFY(refused);
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM jobs"_s), 3);
    }

    // What waits when an engine starts begins at once, one after the other.
    void readyJobsBeginAtOnce()
    {
        TestStore store;
        {
            Settings intakeOnly;
            intakeOnly.jobsQueue = u"jobs"_s;
            QueueRig rig(intakeOnly, &store);
            for (int i = 0; i < 10; ++i)
                rig.enqueue(u"t"_s);
        }
        QueueRig rig(jobSettings(), &store);
        int runs = 0;
        rig.addJob(u"t"_s, [&runs](const ClaimedJob&) {
            ++runs;
            return HandlerOutcome();
        });
        rig.settle();
        QCOMPARE(runs, 10);
        QCOMPARE(rig.sinceStart(), 0);
    }
};

QTEST_GUILESS_MAIN(JobsFieldCasesTest)
#include "field_cases_test.moc"
