#include "tests/support/queue_rig.h"

#include "core/domain/reason.h"
#include "core/engine/command_gate.h"
#include "core/engine/lone_turn.h"
#include "core/jobs/job_plan.h"
#include "core/store/redrive_ledger_store.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;
using namespace Qt::Literals::StringLiterals;

namespace {

Settings jobSettings(const QString& deadLetterQueue = u"jobs-dlq"_s)
{
    Settings settings;
    settings.consumers = {consumerOf(u"jobs"_s, 10, 0, 3, deadLetterQueue)};
    settings.jobsQueue = u"jobs"_s;
    return settings;
}

HandlerOutcome failure(HandlerResult result, const QString& error = u"it failed"_s)
{
    HandlerOutcome outcome;
    outcome.result = result;
    outcome.error = error;
    return outcome;
}

} // namespace

class JobRunTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void planFollowsTheRules_data()
    {
        QTest::addColumn<int>("result");
        QTest::addColumn<int>("attempt");
        QTest::addColumn<int>("crashes");
        QTest::addColumn<int>("maxRetries");
        QTest::addColumn<int>("next");
        QTest::addColumn<qint64>("delayMs");
        const int transient = int(HandlerResult::Transient);
        const int retry = int(Next::Retry);
        const int dead = int(Next::Dead);
        QTest::newRow("done") << int(HandlerResult::Done) << 1 << 0 << 3 << int(Next::Done) << qint64(0);
        QTest::newRow("first failure") << transient << 1 << 0 << 3 << retry << qint64(10'000);
        QTest::newRow("second failure") << transient << 2 << 0 << 3 << retry << qint64(20'000);
        QTest::newRow("third failure") << transient << 3 << 0 << 3 << retry << qint64(40'000);
        QTest::newRow("used up") << transient << 4 << 0 << 3 << dead << qint64(0);
        QTest::newRow("no retries at all") << transient << 1 << 0 << 0 << dead << qint64(0);
        QTest::newRow("a crash spends none") << transient << 4 << 1 << 3 << retry << qint64(40'000);
        QTest::newRow("a time limit is transient")
            << int(HandlerResult::TimedOut) << 1 << 0 << 3 << retry << qint64(10'000);
        QTest::newRow("permanent") << int(HandlerResult::Permanent) << 1 << 0 << 3 << dead << qint64(0);
        QTest::newRow("cancelled") << int(HandlerResult::Cancelled) << 4 << 0 << 3 << int(Next::Release)
                                   << qint64(0);
        QTest::newRow("one retry, first failure") << transient << 1 << 0 << 1 << retry << qint64(10'000);
        QTest::newRow("one retry, second failure") << transient << 2 << 0 << 1 << dead << qint64(0);
        QTest::newRow("the largest number") << transient << 2'147'483'647 << 0 << 100 << dead << qint64(0);
        QTest::newRow("the largest number of both")
            << transient << 2'147'483'647 << 2'147'483'647 << 0 << dead << qint64(0);
        QTest::newRow("many attempts")
            << transient << 2'000'000'000 << 1'999'999'000 << 2'147'483'647 << retry << qint64(300'000);
    }
    void planFollowsTheRules()
    {
        QFETCH(int, result);
        QFETCH(int, attempt);
        QFETCH(int, crashes);
        QFETCH(int, maxRetries);
        QFETCH(int, next);
        QFETCH(qint64, delayMs);
        JobPlanInput input;
        input.result = HandlerResult(result);
        input.attempt = attempt;
        input.crashes = crashes;
        input.maxRetries = maxRetries;
        const JobPlan plan = planJob(input);
        QCOMPARE(int(plan.next), next);
        QCOMPARE(plan.delayMs, delayMs);
    }

    void runsToDoneAndKeepsItsResult()
    {
        QueueRig rig(jobSettings());
        QByteArray seen;
        rig.addJob(u"t"_s, [&seen](const ClaimedJob& job) {
            seen = job.payload;
            HandlerOutcome outcome;
            outcome.content = "{\"n\":1}";
            return outcome;
        });
        const QByteArray payload = R"({"b":9007199254740993,"a":"é\u0041","big":18446744073709551615})";
        const QString id = rig.enqueue(u"t"_s, payload);
        QCOMPARE(seen, payload);
        QCOMPARE(rig.store().text(u"SELECT status FROM jobs WHERE id = '%1'"_s.arg(id)), u"done"_s);
        QCOMPARE(rig.store().text(u"SELECT content FROM job_results"_s), u"{\"n\":1}"_s);
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM messages"_s), 0);
        QCOMPARE(rig.store().number(u"SELECT error IS NULL AND due_at_ms IS NULL FROM jobs"_s), 1);
    }

    void failsThreeTimesWithGrowingWaitsThenDies()
    {
        QueueRig rig(jobSettings());
        QList<qint64> at;
        rig.addJob(u"t"_s, [&](const ClaimedJob&) {
            at.append(rig.sinceStart());
            return failure(HandlerResult::Transient);
        });
        rig.enqueue(u"t"_s);
        QCOMPARE(rig.store().text(u"SELECT status || reason FROM jobs"_s), u"pendingretry"_s);
        rig.pass(200'000);
        QCOMPARE(at.size(), 4);
        const QList<qint64> base = {10'000, 20'000, 40'000};
        for (int i = 0; i < 3; ++i) {
            const qint64 waited = at[i + 1] - at[i];
            QVERIFY2(waited >= base[i] && waited <= base[i] * 11 / 10, qPrintable(QString::number(waited)));
        }
        QCOMPARE(rig.store().text(u"SELECT status || reason || error FROM jobs"_s),
                 u"deadretries_used_upit failed"_s);
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM job_attempts WHERE outcome = 'failed'"_s), 4);
        QCOMPARE(rig.store().text(u"SELECT queue || attempts FROM messages"_s), u"jobs-dlq0"_s);
        QCOMPARE(
            rig.store().text(u"SELECT kind || source_queue || attempts || max_attempts FROM dead_letters"_s),
            u"jobjobs44"_s);
    }

    // A timer's first attempt that an operator let run at once: its redrive hears how it ended.
    void aFirstAttemptThatWasRunNowHasAnOutcome()
    {
        QueueRig rig(jobSettings());
        rig.addJob(u"good"_s, [](const ClaimedJob&) { return HandlerOutcome(); });
        rig.addJob(u"bad"_s, [](const ClaimedJob&) { return failure(HandlerResult::Transient); });
        const QStringList ids{rig.enqueue(u"good"_s, "{}", 60'000), rig.enqueue(u"bad"_s, "{}", 60'000)};
        CommandGate gate({u"jobs"_s});
        ActionRequest now;
        now.verb = ActionVerb::RunNow;
        now.scope.ids = ids;
        gate.submit(now, [](const Result<ActionResult>& result) { QVERIFY(result); });
        QVERIFY(runLoneTurn(rig.db(), rig.clock, [&](Cycle& cycle) { return gate.apply(cycle); }));
        rig.consumer().lookAtAll();
        rig.settle();
        QCOMPARE(rig.store().text(u"SELECT group_concat(status, ' ') FROM (SELECT status FROM jobs ORDER BY "
                                  "type)"_s),
                 u"pending done"_s);
        QCOMPARE(
            rig.store().text(u"SELECT group_concat(outcome, ' ') FROM (SELECT outcome FROM redrive_items "
                             "ORDER BY item_no)"_s),
            u"succeeded failed_anew"_s);
        QVERIFY(!redrive_ledger_store::info(rig.db(), 1).value()->ofDeliveries);
    }

    void errorIsClearedByDone()
    {
        QueueRig rig(jobSettings());
        rig.addJob(u"t"_s, [](const ClaimedJob& job) {
            return job.attempt == 1 ? failure(HandlerResult::Transient) : HandlerOutcome();
        });
        rig.enqueue(u"t"_s);
        QCOMPARE(rig.store().text(u"SELECT error FROM jobs"_s), u"it failed"_s);
        rig.pass(12'000);
        QCOMPARE(rig.store().number(u"SELECT status = 'done' AND error IS NULL FROM jobs"_s), 1);
    }

    void permanentFailuresAndUnknownTypesDieAtOnce()
    {
        QueueRig rig(jobSettings());
        rig.addJob(u"t"_s, [](const ClaimedJob&) { return failure(HandlerResult::Permanent); });
        rig.enqueue(u"t"_s);
        rig.enqueue(u"nobody knows it"_s);
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM jobs WHERE status = 'dead' AND attempts = 1"_s),
                 2);
        QCOMPARE(rig.store().text(
                     u"SELECT group_concat(reason) FROM (SELECT reason FROM dead_letters ORDER BY no)"_s),
                 u"permanent,unknown_type"_s);
    }

    void withoutADeadLetterQueueTheJobIsDeadAndNoLetterIsKept()
    {
        QueueRig rig(jobSettings(QString()));
        rig.addJob(u"t"_s, [](const ClaimedJob&) { return failure(HandlerResult::Transient); });
        rig.enqueue(u"t"_s);
        rig.pass(200'000);
        QCOMPARE(rig.store().text(u"SELECT status || reason FROM jobs"_s), u"deadno_letter_kept"_s);
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM dead_letters"_s), 0);
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM messages"_s), 0);
        QCOMPARE(rig.counters.dropped.load(), 1u);
    }

    void strayMessagesOfFinishedJobsAreAcknowledged_data()
    {
        QTest::addColumn<QString>("status");
        for (const char* status : {"done", "dead", "cancelled"})
            QTest::newRow(status) << QString::fromLatin1(status);
    }
    void strayMessagesOfFinishedJobsAreAcknowledged()
    {
        QFETCH(QString, status);
        QueueRig rig(jobSettings());
        int runs = 0;
        rig.addJob(u"t"_s, [&runs](const ClaimedJob&) {
            ++runs;
            return HandlerOutcome();
        });
        rig.store().execute(
            u"INSERT INTO jobs (id, type, status, payload) VALUES ('j', 't', '%1', '{}')"_s.arg(status));
        rig.store().execute(
            u"INSERT INTO messages (id, queue, is_job, size, sent_at_ms, visible_at_ms) VALUES ('j', 'jobs', 1, 2, 1900000000000, 1)"_s);
        rig.pass(1'000);
        QCOMPARE(runs, 0);
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM messages"_s), 0);
        QCOMPARE(rig.store().text(u"SELECT status FROM jobs"_s), status);
    }

    void aStrayMessageRunsNothingBeforeItsTime()
    {
        QueueRig rig(jobSettings());
        QList<qint64> at;
        rig.addJob(u"t"_s, [&](const ClaimedJob&) {
            at.append(rig.sinceStart());
            return HandlerOutcome();
        });
        const QString id = rig.enqueue(u"t"_s, "{}", 60'000);
        rig.store().execute(u"UPDATE messages SET visible_at_ms = 1"_s);
        rig.consumer().lookAtAll();
        rig.pass(59'999);
        QCOMPARE(at.size(), 0);
        rig.pass(1);
        QCOMPARE(at.size(), 1);
    }

    void aMessageWithoutAJobBecomesALetter()
    {
        QueueRig rig(jobSettings());
        rig.store().execute(
            u"INSERT INTO messages (id, queue, is_job, size, sent_at_ms, visible_at_ms) VALUES ('ghost', 'jobs', 1, 2, 1900000000000, 1)"_s);
        rig.settle();
        QCOMPARE(rig.store().text(u"SELECT reason || subject_id FROM dead_letters"_s), u"missing_rowghost"_s);
    }

    void aQueuesDeliveryDelayIsHonouredAndAnExplicitZeroWins()
    {
        Settings settings = jobSettings();
        settings.queues[u"jobs"_s].deliveryDelayMs = 5'000;
        QueueRig rig(settings);
        QStringList order;
        rig.addJob(u"t"_s, [&order](const ClaimedJob& job) {
            order.append(QString::fromUtf8(job.payload));
            return HandlerOutcome();
        });
        rig.enqueue(u"t"_s, "1");
        rig.enqueue(u"t"_s, "2", 0);
        QCOMPARE(order, QStringList{u"2"_s});
        rig.pass(4'999);
        QCOMPARE(order.size(), 1);
        rig.pass(1);
        QCOMPARE(order, (QStringList{u"2"_s, u"1"_s}));
    }

    void aJobInBackoffBlocksNoOther()
    {
        QueueRig rig(jobSettings());
        QStringList order;
        rig.addJob(u"t"_s, [&order](const ClaimedJob& job) {
            order.append(QString::fromUtf8(job.payload));
            return job.payload == "1" && job.attempt == 1 ? failure(HandlerResult::Transient)
                                                          : HandlerOutcome();
        });
        rig.enqueue(u"t"_s, "1");
        rig.enqueue(u"t"_s, "2");
        QCOMPARE(order, (QStringList{u"1"_s, u"2"_s}));
        rig.pass(12'000);
        QCOMPARE(order.last(), u"1"_s);
    }

    void aQueuesRetryDelayReplacesTheBase()
    {
        Settings settings = jobSettings();
        settings.consumers[0].retryDelayMs = 60'000;
        QueueRig rig(settings);
        rig.addJob(u"t"_s, [](const ClaimedJob&) { return failure(HandlerResult::Transient); });
        rig.enqueue(u"t"_s);
        const qint64 wait = rig.store().number(u"SELECT due_at_ms FROM jobs"_s) - rig.clock.wallMs();
        QVERIFY(wait >= 60'000 && wait <= 66'000);
    }

    void jobsOfABatchBeginInSendOrder()
    {
        QueueRig rig(jobSettings());
        QStringList order;
        rig.addJob(u"t"_s, [&order](const ClaimedJob& job) {
            order.append(QString::fromUtf8(job.payload));
            return HandlerOutcome();
        });
        rig.store().execute(
            u"INSERT INTO queues (name, paused_at_ms, created_at_ms) VALUES ('jobs', 1, 1)"_s);
        QStringList expected;
        for (int i = 0; i < 35; ++i) {
            rig.enqueue(u"t"_s, QByteArray::number(i));
            expected.append(QString::number(i));
        }
        QCOMPARE(order.size(), 0);
        rig.store().execute(u"UPDATE queues SET paused_at_ms = NULL"_s);
        rig.consumer().lookAtAll();
        rig.settle();
        QCOMPARE(order, expected);
    }

    void aHandlerWhoseWritesAreRefusedFailsAlone()
    {
        class Refused final : public StoreHandler
        {
            Result<HandlerOutcome> run(const ClaimedJob&, Cycle& cycle) override
            {
                REDRIVE_TRY(
                    cycle.db.execute(u"INSERT INTO queues (name, created_at_ms) VALUES ('half', 1)"_s));
                REDRIVE_TRY(
                    cycle.db.execute(u"INSERT INTO queues (name, created_at_ms) VALUES ('half', 1)"_s));
                return HandlerOutcome();
            }
        };
        QueueRig rig(jobSettings());
        rig.registry.add(u"refused"_s, std::shared_ptr<StoreHandler>(std::make_shared<Refused>()));
        rig.addJob(u"fine"_s, [](const ClaimedJob&) { return HandlerOutcome(); });
        rig.enqueue(u"refused"_s);
        rig.enqueue(u"fine"_s);
        QCOMPARE(
            rig.store().text(u"SELECT group_concat(status) FROM (SELECT status FROM jobs ORDER BY id)"_s),
            u"pending,done"_s);
        QVERIFY(rig.store().text(u"SELECT error FROM jobs WHERE type = 'refused'"_s).contains(u"UNIQUE"));
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM queues WHERE name = 'half'"_s), 0);
    }
};

QTEST_GUILESS_MAIN(JobRunTest)
#include "job_run_test.moc"
