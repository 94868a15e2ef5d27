#include "tests/engine/gate_fixture.h"

#include "core/db/transaction.h"
#include "core/store/job_read_store.h"
#include "core/store/redrive_store.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;

class CommandGateTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void requeuesADeadJob()
    {
        GateFixture f;
        f.addDeadJob(u"a"_s);
        const auto result = f.act(GateFixture::request(ActionVerb::Requeue, {u"a"_s}));
        QVERIFY(result.has_value());
        QCOMPARE(result->total, 1);
        QCOMPARE(result->succeeded, 1);
        QCOMPARE(f.store.text(u"SELECT status || ' ' || run || ' ' || attempts || ' ' || error FROM jobs"_s),
                 u"pending 2 0 broke"_s);
        QCOMPARE(
            f.store.text(u"SELECT group_concat(queue || ' ' || is_job || ' ' || urgent || ' ' || size || ' ' "
                         "|| (body IS NULL)) FROM messages"_s),
            u"jobs 1 1 7 1"_s);
        QCOMPARE(f.store.text(u"SELECT state FROM dead_letters"_s), u"requeued"_s);
    }

    void everyRequeueIsCounted()
    {
        GateFixture f;
        f.addDeadJob(u"a"_s);
        for (int run = 2; run <= 4; ++run) {
            QCOMPARE(f.act(GateFixture::request(ActionVerb::Requeue, {u"a"_s}))->succeeded, 1);
            const auto job = job_read_store::row(f.store.db(), u"a"_s, {});
            QVERIFY(job && *job);
            QCOMPARE((*job)->run, run);
            f.store.execute(u"DELETE FROM messages"_s); // it dies again
            f.store.execute(u"UPDATE jobs SET status = 'dead'"_s);
            f.store.execute(
                u"INSERT INTO dead_letters (kind, subject_id, source_queue, type, run, attempts, reason, "
                "sent_at_ms, dead_at_ms, changed_at_ms) SELECT 'job', id, 'jobs', type, run, 4, "
                "'retries_used_up', 1, 2, 2 FROM jobs"_s);
        }
        const auto actions = redrive_store::actionsOn(f.store.db(), u"a"_s, 10);
        QCOMPARE(actions->size(), 3);
        QCOMPARE(f.store.number(u"SELECT max(run) FROM dead_letters WHERE state = 'open'"_s), 4);
    }

    void tellsWhoMustLook()
    {
        GateFixture f;
        f.addDeadJob(u"a"_s);
        f.gate.submit(GateFixture::request(ActionVerb::Requeue, {u"a"_s}), [](const auto&) {});
        QVERIFY(f.turn().has_value());
        QVERIFY(f.queuesToLook.contains(u"jobs"_s));
        QVERIFY(f.changes.jobs && f.changes.letters && f.changes.operations);
        QVERIFY(f.changes.ids.contains(u"a"_s));
    }

    void anOperationWhoseItemsAreMissingEnds()
    {
        GateFixture f;
        f.store.execute(u"INSERT INTO redrives (verb, scope, actor, source, state, total, created_at_ms) "
                        "VALUES ('requeue', 'x', 'anna', 'console', 'running', 3, 1)"_s);
        QVERIFY(f.turn().has_value());
        QCOMPARE(f.store.text(u"SELECT state || ' ' || total FROM redrives"_s), u"done 0"_s);
        QVERIFY(!f.gate.hasWork(0, 0));
    }

    void aVerbOfAnotherVersionDoesNothing()
    {
        GateFixture f;
        f.addDeadJob(u"a"_s);
        f.store.execute(u"INSERT INTO redrives (no, verb, scope, actor, source, total, created_at_ms) "
                        "VALUES (1, 'evaporate', 'x', 'anna', 'console', 1, 1)"_s);
        f.store.execute(u"INSERT INTO redrive_items (redrive_no, item_no, item_id) VALUES (1, 1, 'a')"_s);
        QVERIFY(f.turn().has_value());
        QCOMPARE(f.store.text(u"SELECT status FROM jobs"_s), u"dead"_s);
        QCOMPARE(f.store.text(u"SELECT state || ' ' || refused FROM redrives"_s), u"done 1"_s);
    }

    void aLetterOfALivingJobIsNotDiscarded()
    {
        GateFixture f;
        f.addDeadJob(u"a"_s);
        f.store.execute(u"UPDATE jobs SET status = 'pending'"_s); // by hand
        const auto result = f.act(GateFixture::request(ActionVerb::Discard, {u"a"_s}));
        QVERIFY(result.has_value());
        QCOMPARE(result->refusedCount, 1);
        QCOMPARE(f.store.number(u"SELECT count(*) FROM messages"_s), 1);
    }

    void whatWaitsIsAnsweredWhenNoTurnFollows()
    {
        GateFixture f;
        f.addDeadJob(u"a"_s);
        ErrorKind kind = ErrorKind::Internal;
        f.gate.submit(GateFixture::request(ActionVerb::Requeue, {u"a"_s}),
                      [&kind](const Result<ActionResult>& answer) { kind = answer.error().kind; });
        f.gate.refuseWaiting();
        QCOMPARE(kind, ErrorKind::Refused);
        QVERIFY(!f.gate.hasIncoming());
    }

    void requeuesToAnotherQueue()
    {
        GateFixture f;
        f.addDeadJob(u"a"_s);
        auto asked = GateFixture::request(ActionVerb::Requeue, {u"a"_s});
        asked.scope.queue = u"mail"_s;
        QVERIFY(f.act(asked).has_value());
        QCOMPARE(f.store.text(u"SELECT m.queue || ' ' || j.queue FROM messages m JOIN jobs j USING (id)"_s),
                 u"mail mail"_s);
    }

    void refusesAQueueNobodyDeclares()
    {
        GateFixture f;
        f.addDeadJob(u"a"_s);
        auto asked = GateFixture::request(ActionVerb::Requeue, {u"a"_s});
        asked.scope.queue = u"typo"_s;
        QCOMPARE(f.gate.plan(f.store.db(), asked, f.clock.wallMs()).error().kind, ErrorKind::InvalidInput);
        const auto refused = f.act(asked);
        QVERIFY2(refused.error().message.contains(u"'typo'"_s), qPrintable(refused.error().message));
        QCOMPARE(f.store.text(u"SELECT status FROM jobs"_s), u"dead"_s);
        f.store.execute(
            u"INSERT INTO queues (name, created_at_ms) VALUES ('typo', 1)"_s); // another console's
        QCOMPARE(f.act(asked)->succeeded, 1);
    }

    void requeuesAPlainMessageByteForByte()
    {
        GateFixture f;
        f.store.execute(
            u"INSERT INTO dead_letters (kind, subject_id, source_queue, dead_letter_queue, attempts, reason, "
            "content_type, body, sent_at_ms, dead_at_ms, changed_at_ms) VALUES ('message', 'm', 'my/ Queue', "
            "'dlq', 3, 'retries_used_up', 'bytes', x'00ff', 1, 2, 2)"_s);
        const auto result = f.act(GateFixture::request(ActionVerb::Requeue, {u"m"_s}));
        QCOMPARE(result->succeeded, 1);
        QCOMPARE(f.store.text(
                     u"SELECT queue || ' ' || hex(body) || ' ' || typeof(body) || ' ' || content_type || ' ' "
                     "|| size || ' ' || attempts FROM messages"_s),
                 u"my/ Queue 00FF blob bytes 2 0"_s);
    }

    void requeuesTwiceOnce()
    {
        GateFixture f;
        f.addDeadJob(u"a"_s);
        int answers = 0;
        int succeeded = 0;
        const auto count = [&](const Result<ActionResult>& result) {
            ++answers;
            succeeded += result->succeeded;
        };
        f.gate.submit(GateFixture::request(ActionVerb::Requeue, {u"a"_s, u"a"_s}), count);
        f.gate.submit(GateFixture::request(ActionVerb::Requeue, {u"a"_s}), count);
        f.settle();
        QCOMPARE(answers, 2);
        QCOMPARE(succeeded, 1);
        QCOMPARE(f.store.number(u"SELECT run FROM jobs"_s), 2);
        QCOMPARE(f.store.number(u"SELECT count(*) FROM messages"_s), 1);
        QCOMPARE(f.store.text(u"SELECT group_concat(message) FROM redrive_items WHERE result = 'refused'"_s),
                 u"is waiting already"_s);
    }

    void listsRefusalsAndGoesOn()
    {
        GateFixture f;
        f.addDeadJob(u"a"_s);
        f.addDeadJob(u"c"_s);
        f.store.execute(u"UPDATE jobs SET status = 'processing' WHERE id = 'a'"_s);
        const auto result = f.act(GateFixture::request(ActionVerb::Requeue, {u"a"_s, u"nope"_s, u"c"_s}));
        QCOMPARE(result->succeeded, 1);
        QCOMPARE(result->refusedCount, 2);
        QCOMPARE(result->refused[0].why, u"is processing"_s);
        QCOMPARE(result->refused[1].id, u"nope"_s);
        QCOMPARE(result->refused[1].why, u"not found"_s);
        QCOMPARE(
            f.store.text(u"SELECT actor || ' ' || verb || ' ' || target || ' ' || count || ' ' || result "
                         "FROM audit"_s),
            u"anna requeue 3 selected 1 1 done, 2 refused"_s);
    }

    void refusesWhatTheDatabaseRefusesAndGoesOn()
    {
        GateFixture f;
        f.addDeadJob(u"a"_s);
        f.addDeadJob(u"b"_s);
        f.store.execute(u"CREATE TRIGGER no_a BEFORE INSERT ON messages WHEN NEW.id = 'a' "
                        "BEGIN SELECT RAISE(ABORT, 'a may not'); END"_s);
        const auto result = f.act(GateFixture::request(ActionVerb::Requeue, {u"a"_s, u"b"_s}));
        QCOMPARE(result->succeeded, 1);
        QVERIFY2(result->refused[0].why.contains(u"a may not"_s), qPrintable(result->refused[0].why));
        QCOMPARE(f.store.text(u"SELECT status || run FROM jobs WHERE id = 'a'"_s), u"dead1"_s);
        QCOMPARE(f.store.number(u"SELECT count(*) FROM messages WHERE id = 'a' AND queue = 'jobs-dlq'"_s), 1);
    }

    void discardsAndRestores()
    {
        GateFixture f;
        f.addDeadJob(u"a"_s);
        QCOMPARE(f.act(GateFixture::request(ActionVerb::Discard, {u"a"_s}))->succeeded, 1);
        const QString state =
            u"SELECT j.status || ' ' || j.discarded || ' ' || l.state FROM jobs j, dead_letters l"_s;
        QCOMPARE(f.store.text(state), u"dead 1 discarded"_s);
        QCOMPARE(f.store.number(u"SELECT count(*) FROM messages"_s), 0);
        QCOMPARE(f.act(GateFixture::request(ActionVerb::Requeue, {u"a"_s}))->refused[0].why,
                 u"is in the bin"_s);
        QCOMPARE(f.act(GateFixture::request(ActionVerb::Restore, {u"a"_s}))->succeeded, 1);
        QCOMPARE(f.store.text(state), u"dead 0 open"_s);
        QCOMPARE(f.act(GateFixture::request(ActionVerb::Requeue, {u"a"_s}))->succeeded, 1);
        QCOMPARE(f.store.text(state), u"pending 0 requeued"_s);
    }

    void runsTimersNow()
    {
        GateFixture f;
        const qint64 later = f.clock.wallMs() + 60'000;
        f.store.execute(u"INSERT INTO jobs (id, type, status, payload, queue, due_at_ms, reason) VALUES "
                        "('a', 't', 'pending', '{}', 'jobs', %1, 'retry'), "
                        "('lost', 't', 'pending', '{}', 'jobs', %1, 'retry')"_s.arg(later));
        f.store.execute(
            u"INSERT INTO messages (id, queue, is_job, size, sent_at_ms, visible_at_ms, attempts) VALUES "
            "('a', 'jobs', 1, 2, 1, %1, 2)"_s.arg(later));
        f.addDelivery(u"d"_s, u"j"_s, u"failed"_s);
        f.store.execute(u"UPDATE webhook_deliveries SET due_at_ms = %1"_s.arg(later));
        const auto result =
            f.act(GateFixture::request(ActionVerb::RunNow, {u"a"_s, u"lost"_s, u"d"_s, u"nope"_s}));
        QCOMPARE(result->succeeded, 3);
        QCOMPARE(f.store.text(u"SELECT group_concat(id || ' ' || attempts || ' ' || urgent || ' ' || "
                              "(visible_at_ms = %1)) FROM messages"_s.arg(f.clock.wallMs())),
                 u"a 2 1 1,lost 0 1 1"_s);
        QCOMPARE(f.store.number(u"SELECT count(*) FROM jobs WHERE due_at_ms IS NULL"_s), 2);
        QCOMPARE(f.store.number(u"SELECT due_at_ms FROM webhook_deliveries"_s), f.clock.wallMs());
        QVERIFY(f.lookAtDeliveries);
    }

    void replaysTheFailedDeliveriesOfAJob()
    {
        GateFixture f;
        f.addDelivery(u"d1"_s, u"j"_s, u"delivered"_s);
        f.addDelivery(u"d2"_s, u"j"_s, u"failed"_s);
        f.addDelivery(u"d3"_s, u"j"_s, u"dead"_s);
        f.addDelivery(u"d4"_s, u"other"_s, u"dead"_s);
        f.store.execute(u"INSERT INTO dead_letters (kind, subject_id, attempts, reason, sent_at_ms, "
                        u"dead_at_ms, changed_at_ms) "
                        "VALUES ('delivery', 'd3', 4, 'retries_used_up', 1, 2, 2)"_s);
        const auto result = f.act(GateFixture::request(ActionVerb::Replay, {u"j"_s}));
        QCOMPARE(result->total, 2);
        QCOMPARE(result->succeeded, 2);
        QVERIFY(f.lookAtDeliveries);
        const QString waiting =
            u"SELECT group_concat(id) FROM webhook_deliveries WHERE due_at_ms IS NOT NULL"_s;
        QCOMPARE(f.store.text(waiting), u"d2,d3"_s);
        QCOMPARE(f.store.text(u"SELECT state FROM dead_letters"_s), u"requeued"_s);
        QCOMPARE(f.act(GateFixture::request(ActionVerb::Requeue, {u"d4"_s}))->succeeded, 1);
        QCOMPARE(f.store.text(waiting), u"d2,d3,d4"_s);
        const auto again = f.act(GateFixture::request(ActionVerb::Replay, {u"d2"_s, u"d3"_s, u"d4"_s}));
        QCOMPARE(again->refusedCount, 3);
    }

    void plansReplaysAsTheyWouldGo()
    {
        GateFixture f;
        f.addDelivery(u"d1"_s, u"j"_s, u"failed"_s);
        f.addDelivery(u"d2"_s, u"j"_s, u"sending"_s);
        const auto asked = GateFixture::request(ActionVerb::Replay, {u"d1"_s, u"d2"_s});
        const auto plan = f.gate.plan(f.store.db(), asked, f.clock.wallMs());
        QCOMPARE(plan->willAct, 1);
        const auto result = f.act(asked);
        QCOMPARE(result->succeeded, 1);
        QCOMPARE(result->refused[0].why, plan->skipped[0].first);
    }

    void pausesAndResumesQueues()
    {
        GateFixture f;
        QCOMPARE(f.act(GateFixture::queueRequest(ActionVerb::PauseQueue, u"mail"_s))->succeeded, 1);
        QCOMPARE(
            f.store.text(u"SELECT name || ' ' || paused_by FROM queues WHERE paused_at_ms IS NOT NULL"_s),
            u"mail anna"_s);
        QVERIFY(f.queuesToLook.contains(u"mail"_s) && f.changes.queues);
        QCOMPARE(f.act(GateFixture::queueRequest(ActionVerb::PauseQueue, u"mail"_s))->refused[0].why,
                 u"is paused already"_s);
        QCOMPARE(f.act(GateFixture::queueRequest(ActionVerb::ResumeQueue, u"mail"_s))->succeeded, 1);
        QCOMPARE(f.store.number(u"SELECT count(*) FROM queues WHERE paused_at_ms IS NOT NULL"_s), 0);
        QCOMPARE(f.act(GateFixture::queueRequest(ActionVerb::ResumeQueue, u"mail"_s))->refused[0].why,
                 u"is not paused"_s);
        QCOMPARE(f.act(GateFixture::queueRequest(ActionVerb::PauseQueue, u"typo"_s))->refusedCount, 1);
    }

    void freezesWhatMatches()
    {
        GateFixture f;
        f.addDeadJobs({u"a"_s, u"b"_s, u"c"_s});
        f.store.execute(u"UPDATE dead_letters SET type = 'sms' WHERE subject_id = 'b'"_s);
        ActionRequest asked = GateFixture::request(ActionVerb::Discard, {});
        asked.scope.matching = true;
        asked.scope.filter = u"type:mail"_s;
        QCOMPARE(f.gate.plan(f.store.db(), asked, f.clock.wallMs())->total, 2);
        const auto result = f.act(asked);
        QCOMPARE(result->succeeded, 2);
        QCOMPARE(f.store.text(u"SELECT group_concat(item_id) FROM redrive_items"_s), u"a,c"_s);
        QCOMPARE(f.store.text(u"SELECT target FROM audit"_s), u"matching type:mail"_s);
        QCOMPARE(f.act(asked)->total, 0);
        QCOMPARE(f.store.number(u"SELECT count(*) FROM redrives"_s), 1);
        asked.scope.filter = u"attempt:>x"_s;
        QCOMPARE(f.act(asked).error().kind, ErrorKind::InvalidInput);
    }

    void plansWhatItWouldDo()
    {
        GateFixture f;
        QStringList ids;
        for (int i = 0; i < 15; ++i)
            ids.append(u"job-%1"_s.arg(i));
        f.addDeadJobs(ids);
        f.store.execute(u"UPDATE jobs SET status = 'done' WHERE id IN ('job-1', 'job-2')"_s);
        ids.append(u"nope"_s);
        const auto reader = f.store.openReader();
        const auto plan =
            f.gate.plan(*reader, GateFixture::request(ActionVerb::Requeue, ids), f.clock.wallMs());
        QVERIFY(plan.has_value());
        QCOMPARE(plan->total, 16);
        QCOMPARE(plan->willAct, 13);
        QCOMPARE(plan->skipped, (QList<std::pair<QString, int>>{{u"is done"_s, 2}, {u"not found"_s, 1}}));
        QCOMPARE(plan->sampleIds.size(), 10);
        QCOMPARE(f.store.number(u"SELECT count(*) FROM redrives"_s), 0);
    }

    void worksInSlicesAndLetsSmallOnesThrough()
    {
        GateFixture f;
        QStringList ids;
        for (int i = 0; i < 450; ++i)
            ids.append(u"job-%1"_s.arg(i));
        f.addDeadJobs(ids);
        f.addDeadJob(u"small"_s);
        bool smallDone = false;
        bool bigDone = false;
        f.gate.submit(GateFixture::request(ActionVerb::Requeue, ids),
                      [&](const Result<ActionResult>& result) { bigDone = result->succeeded == 450; });
        QVERIFY(f.turn().has_value());
        QCOMPARE(f.store.number(u"SELECT count(*) FROM jobs WHERE run = 2"_s), 100);
        QCOMPARE(f.store.text(u"SELECT state || succeeded FROM redrives"_s), u"running100"_s);
        QCOMPARE(f.gate.nextDeadline(), std::optional<qint64>(0));
        f.gate.submit(GateFixture::request(ActionVerb::Requeue, {u"small"_s}),
                      [&](const auto&) { smallDone = true; });
        QVERIFY(f.turn().has_value());
        QVERIFY(smallDone && !bigDone);
        f.settle();
        QVERIFY(bigDone);
        QVERIFY(!f.gate.nextDeadline());
        QCOMPARE(f.store.number(u"SELECT count(*) FROM audit"_s), 2);
    }

    void executesWhatAnotherProcessWrote()
    {
        GateFixture f;
        f.addDeadJob(u"a"_s);
        f.settle();
        const auto other = f.store.openWriter();
        qint64 no = 0;
        QVERIFY(runLoneTurn(*other, f.clock, [&](Cycle& cycle) -> Status {
                    REDRIVE_ASSIGN(written,
                                   f.gate.write(cycle, GateFixture::request(ActionVerb::Requeue, {u"a"_s})));
                    no = written;
                    return {};
                }).has_value());
        QVERIFY(!f.gate.hasWork(0, 0));
        f.gate.lookAtStore();
        f.settle();
        QCOMPARE(CommandGate::resultOf(f.store.db(), no)->succeeded, 1);
    }

    void leavesTheWorkToAnotherEngine()
    {
        GateFixture f;
        f.addDeadJob(u"a"_s);
        bool lives = false;
        CommandGate view({}, [&lives] { return lives; });
        Result<ActionResult> answer = fail(ErrorKind::Internal, u"no answer"_s);
        const auto ask = [&] {
            view.submit(GateFixture::request(ActionVerb::Requeue, {u"a"_s}),
                        [&](Result<ActionResult> result) { answer = std::move(result); });
        };
        const auto viewTurn = [&] {
            return runLoneTurn(f.store.db(), f.clock, [&](Cycle& cycle) { return view.apply(cycle); });
        };
        ask();
        QVERIFY(viewTurn().has_value());
        QCOMPARE(answer.error().kind, ErrorKind::Refused);
        QCOMPARE(f.store.number(u"SELECT count(*) FROM redrives"_s), 0);

        lives = true;
        ask();
        QVERIFY(viewTurn().has_value());
        QCOMPARE(f.store.text(u"SELECT state FROM redrives"_s), u"requested"_s);
        QVERIFY(!view.hasWork(0, 0));
        f.gate.lookAtStore();
        f.settle();
        view.lookAtStore();
        QVERIFY(viewTurn().has_value());
        QVERIFY(answer.has_value());
        QCOMPARE(answer->succeeded, 1);
    }

    void answersWhenTheTurnIsLost()
    {
        GateFixture f;
        f.addDeadJob(u"a"_s);
        f.settle();
        std::optional<Error> error;
        f.store.execute(u"ALTER TABLE redrives RENAME TO gone"_s);
        f.gate.submit(GateFixture::request(ActionVerb::Requeue, {u"a"_s}),
                      [&](const Result<ActionResult>& result) {
                          if (!result)
                              error = result.error();
                      });
        QVERIFY(!f.turn().has_value());
        QVERIFY(error.has_value());
        QVERIFY(!f.gate.hasWork(0, 0));
        QCOMPARE(f.store.text(u"SELECT status FROM jobs"_s), u"dead"_s);
    }

    void refusesRequestsThatNameNothing()
    {
        GateFixture f;
        QCOMPARE(f.act(GateFixture::request(ActionVerb::Requeue, {})).error().kind, ErrorKind::InvalidInput);
        QCOMPARE(f.act(GateFixture::queueRequest(ActionVerb::PauseQueue, {})).error().kind,
                 ErrorKind::InvalidInput);
    }
};

QTEST_GUILESS_MAIN(CommandGateTest)
#include "command_gate_test.moc"
