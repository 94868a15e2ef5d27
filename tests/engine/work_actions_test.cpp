// What the gate does to work that waits: cancel, postpone, edit and requeue.
#include "tests/engine/gate_fixture.h"

#include "core/store/job_read_store.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;

namespace {

ActionRequest postponement(const QStringList& ids, std::optional<qint64> delayMs,
                           std::optional<qint64> dueAtMs = {})
{
    ActionRequest asked = GateFixture::request(ActionVerb::Postpone, ids);
    asked.delayMs = delayMs;
    asked.dueAtMs = dueAtMs;
    asked.reason = u"the bank is closed"_s;
    return asked;
}

ActionRequest edit(const QString& id, const QByteArray& payload)
{
    ActionRequest asked = GateFixture::request(ActionVerb::Edit, {id});
    asked.payload = payload;
    return asked;
}

} // namespace

class WorkActionsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cancelsWhatWaitsWithItsMessage()
    {
        GateFixture f;
        f.addWaitingJob(u"a"_s);
        const auto result = f.act(GateFixture::request(ActionVerb::Cancel, {u"a"_s, u"a"_s}));
        QCOMPARE(result->succeeded, 1);
        QCOMPARE(f.store.text(u"SELECT status || ' ' || reason || ' ' || error || ' ' || (due_at_ms IS NULL) "
                              "FROM jobs"_s),
                 u"cancelled cancelled broke 1"_s);
        QCOMPARE(f.store.number(u"SELECT count(*) FROM messages"_s), 0);
        QCOMPARE(f.act(GateFixture::request(ActionVerb::Cancel, {u"a"_s}))->refused[0].why,
                 u"is cancelled already"_s);
        QCOMPARE(f.store.text(u"SELECT verb || count FROM audit ORDER BY no LIMIT 1"_s), u"cancel1"_s);
    }

    void askingTwiceBeforeTheTurnCancelsOnce()
    {
        GateFixture f;
        f.addWaitingJob(u"a"_s);
        int succeeded = 0;
        int refused = 0;
        for (int i = 0; i < 2; ++i)
            f.gate.submit(GateFixture::request(ActionVerb::Cancel, {u"a"_s}),
                          [&](const Result<ActionResult>& result) {
                              succeeded += result->succeeded;
                              refused += result->refusedCount;
                          });
        f.settle();
        QCOMPARE(succeeded, 1);
        QCOMPARE(refused, 1);
    }

    void aJobWhoseEngineIsGoneIsCancelledAtOnce()
    {
        GateFixture f;
        f.addWaitingJob(u"a"_s);
        f.store.execute(u"UPDATE jobs SET status = 'processing', due_at_ms = NULL"_s);
        f.store.execute(u"UPDATE messages SET lease_instance = 7, claim_no = 1, claimed_at_ms = 5"_s);
        QCOMPARE(f.act(GateFixture::request(ActionVerb::Cancel, {u"a"_s}))->succeeded, 1);
        QCOMPARE(f.store.text(u"SELECT status FROM jobs"_s), u"cancelled"_s);
        QCOMPARE(f.store.number(u"SELECT count(*) FROM messages"_s), 0);
        QCOMPARE(f.store.text(u"SELECT attempt || outcome FROM job_attempts"_s), u"1crashed"_s);
    }

    void cancelsTheOpenDeliveriesOfAFanOut()
    {
        GateFixture f;
        f.store.execute(
            u"INSERT INTO jobs (id, type, status, queue) VALUES ('j', 'webhook_fanout', 'done', 'jobs')"_s);
        f.addDelivery(u"d1"_s, u"j"_s, u"delivered"_s);
        f.addDelivery(u"d2"_s, u"j"_s, u"failed"_s);
        f.addDelivery(u"d3"_s, u"j"_s, u"held"_s);
        f.addDelivery(u"d4"_s, u"j"_s, u"dead"_s);
        f.addDelivery(u"d5"_s, u"j"_s, u"sending"_s); // by an engine that is gone
        f.addDelivery(u"d6"_s, u"j"_s, u"pending"_s); // delivered before, a replay waits
        f.addDelivery(u"o"_s, u"other"_s, u"failed"_s);
        f.store.execute(
            u"UPDATE webhook_deliveries SET due_at_ms = 9 WHERE status IN ('failed', 'pending')"_s);
        f.store.execute(u"UPDATE webhook_deliveries SET instance_no = 7, attempts = 1 WHERE id = 'd5'"_s);
        f.store.execute(
            u"UPDATE webhook_deliveries SET resume_status = 'delivered', replay_of = 1 WHERE id = 'd6'"_s);
        f.store.execute(
            u"INSERT INTO delivery_attempts (delivery_id, attempt, instance_no, url, started_at_ms) "
            "VALUES ('d5', 1, 7, 'http://x', 1)"_s);
        QCOMPARE(f.act(GateFixture::request(ActionVerb::Cancel, {u"j"_s}))->succeeded, 1);
        QCOMPARE(f.store.text(u"SELECT group_concat(id || ' ' || status, ',') FROM (SELECT * FROM "
                              "webhook_deliveries ORDER BY id)"_s),
                 u"d1 delivered,d2 cancelled,d3 cancelled,d4 dead,d5 cancelled,d6 delivered,o failed"_s);
        QCOMPARE(f.store.number(u"SELECT count(*) FROM webhook_deliveries WHERE due_at_ms IS NOT NULL "
                                "OR replay_of IS NOT NULL OR instance_no IS NOT NULL"_s),
                 1); // that of the other job
        QCOMPARE(f.store.text(u"SELECT outcome || class FROM delivery_attempts"_s), u"interruptedunknown"_s);
        QCOMPARE(f.store.text(u"SELECT status FROM jobs"_s), u"done"_s);
        QVERIFY(f.changes.deliveries && f.changes.ids.contains(u"d2"_s));
        QCOMPARE(f.act(GateFixture::request(ActionVerb::Cancel, {u"j"_s}))->refused[0].why, u"is done"_s);
    }

    void cancelsByAFilter()
    {
        GateFixture f;
        f.addWaitingJobs({u"a"_s, u"b"_s});
        f.addWaitingJob(u"c"_s, u"sms"_s);
        ActionRequest asked = GateFixture::request(ActionVerb::Cancel, {});
        asked.scope.list = ListKind::Jobs;
        asked.scope.matching = true;
        asked.scope.filter = u"type:mail"_s;
        QCOMPARE(f.gate.plan(f.store.db(), asked, f.clock.wallMs())->willAct, 2);
        QCOMPARE(f.act(asked)->succeeded, 2);
        QCOMPARE(f.store.text(u"SELECT id FROM jobs WHERE status = 'pending'"_s), u"c"_s);
    }

    void aCancelOfEverythingCountsOnlyWhatIsOpen()
    {
        GateFixture f;
        f.addWaitingJobs({u"a"_s, u"b"_s});
        f.addDelivery(u"d"_s, u"fan"_s, u"failed"_s);
        f.store.execute(u"INSERT INTO jobs (id, type, status) VALUES ('old', 'mail', 'done'), "
                        "('gone', 'mail', 'cancelled'), ('fan', 'webhook_fanout', 'done')"_s);
        ActionRequest asked = GateFixture::request(ActionVerb::Cancel, {});
        asked.scope.list = ListKind::Jobs;
        asked.scope.matching = true;
        const auto plan = f.gate.plan(f.store.db(), asked, f.clock.wallMs());
        QVERIFY(plan);
        const int open = int(f.store.number(u"SELECT count(*) FROM jobs WHERE id NOT IN ('old', 'gone')"_s));
        QCOMPARE(plan->total, open);
        QCOMPARE(plan->willAct, open);
        QVERIFY(plan->skipped.isEmpty());
        const auto result = f.act(asked);
        QCOMPARE(result->refusedCount, 0);
        QCOMPARE(f.store.text(u"SELECT status FROM webhook_deliveries"_s), u"cancelled"_s);
        QCOMPARE(f.store.text(u"SELECT status FROM jobs WHERE id = 'old'"_s), u"done"_s);
    }

    void postponesTimersAndKeepsWhyTheyWait()
    {
        GateFixture f;
        f.addWaitingJob(u"a"_s);
        f.addDelivery(u"d"_s, u"j"_s, u"failed"_s);
        f.store.execute(u"UPDATE webhook_deliveries SET due_at_ms = 9, reason = 'retry'"_s);
        QCOMPARE(f.act(postponement({u"a"_s, u"d"_s}, 3'600'000))->succeeded, 2);
        const qint64 due = f.clock.wallMs() + 3'600'000;
        QCOMPARE(
            f.store.text(u"SELECT j.status || ' ' || j.reason || ' ' || j.attempts || ' ' || j.due_at_ms || "
                         "' ' || m.visible_at_ms FROM jobs j JOIN messages m USING (id)"_s),
            u"pending retry 1 %1 %1"_s.arg(due));
        QCOMPARE(
            f.store.text(u"SELECT status || ' ' || reason || ' ' || due_at_ms FROM webhook_deliveries"_s),
            u"failed retry %1"_s.arg(due));
        QVERIFY(f.queuesToLook.contains(u"jobs"_s) && f.lookAtDeliveries);
        const auto actions = redrive_store::actionsOn(f.store.db(), u"a"_s, 10);
        QCOMPARE(actions->size(), 1);
        QCOMPARE(actions->first().reason, u"the bank is closed"_s);
        QCOMPARE(actions->first().dueAtMs, std::optional(due));
    }

    void postponesUntilATime()
    {
        GateFixture f;
        f.addWaitingJob(u"a"_s);
        const qint64 due = f.clock.wallMs() + 7'000;
        QCOMPARE(f.act(postponement({u"a"_s}, {}, due))->succeeded, 1);
        QCOMPARE(f.store.number(u"SELECT due_at_ms FROM jobs"_s), due);
    }

    // Sent without a delay, it waits ten minutes for its retry: no timer of the next five minutes.
    void runNowGoesByTheDueTimeOfNow()
    {
        GateFixture f;
        f.addWaitingJob(u"a"_s);
        QCOMPARE(f.act(postponement({u"a"_s}, 600'000))->succeeded, 1);
        ActionRequest soon = GateFixture::request(ActionVerb::RunNow, {});
        soon.scope.list = ListKind::Timers;
        soon.scope.matching = true;
        soon.scope.filter = u"next:<5m"_s;
        QCOMPARE(f.act(soon)->total, 0);
        QCOMPARE(f.store.number(u"SELECT due_at_ms FROM jobs"_s), f.clock.wallMs() + 600'000);
        f.clock.advance(301'000);
        QCOMPARE(f.act(soon)->succeeded, 1);
        QCOMPARE(f.store.number(u"SELECT visible_at_ms FROM messages"_s), f.clock.wallMs());
    }

    void refusesDueTimesOutOfBounds_data()
    {
        QTest::addColumn<qint64>("delayMs");
        QTest::addColumn<bool>("allowed");
        QTest::newRow("now") << qint64(0) << true;
        QTest::newRow("a day") << qint64(86'400'000) << true;
        QTest::newRow("a day and a bit") << qint64(86'400'001) << false;
        QTest::newRow("before") << qint64(-1) << false;
    }

    void refusesDueTimesOutOfBounds()
    {
        QFETCH(qint64, delayMs);
        QFETCH(bool, allowed);
        for (const bool asTime : {false, true}) {
            GateFixture f;
            f.addWaitingJob(u"a"_s);
            const auto asked = asTime ? postponement({u"a"_s}, {}, f.clock.wallMs() + delayMs)
                                      : postponement({u"a"_s}, delayMs);
            const auto result = f.act(asked);
            QCOMPARE(result.has_value(), allowed);
            if (!allowed) {
                QCOMPARE(result.error().kind, ErrorKind::InvalidInput);
                QCOMPARE(f.store.number(u"SELECT due_at_ms FROM jobs"_s), f.clock.wallMs() + 60'000);
            }
        }
        GateFixture f;
        QCOMPARE(f.act(postponement({u"a"_s}, {})).error().kind, ErrorKind::InvalidInput);
        QCOMPARE(f.act(postponement({u"a"_s}, 1, 1)).error().kind, ErrorKind::InvalidInput);
    }

    void editsADeadJob()
    {
        GateFixture f;
        f.addDeadJob(u"a"_s);
        const QByteArray payload = "{\"big\": 12345678901234567890,\"a\":\"\\u00e9\\/\xc3\xa9\"}";
        const auto result = f.act(edit(u"a"_s, "\n" + payload + "\n"));
        QCOMPARE(result->succeeded, 1);
        QVERIFY(!result->newId.isEmpty());
        QCOMPARE(
            f.store.text(u"SELECT status || ' ' || reason || ' ' || superseded_by || ' ' || error FROM jobs "
                         "WHERE id = 'a'"_s),
            u"cancelled superseded "_s + result->newId + u" broke"_s);
        QCOMPARE(
            f.store.text(u"SELECT type || ' ' || status || ' ' || queue || ' ' || parent_id || ' ' || run || "
                         "attempts || ' ' || payload FROM jobs WHERE id = '%1'"_s.arg(result->newId)),
            u"mail pending jobs a 10 "_s + QString::fromUtf8(payload));
        QCOMPARE(f.store.text(u"SELECT payload FROM jobs WHERE id = 'a'"_s), u"{\"n\":1}"_s);
        QCOMPARE(f.store.text(u"SELECT state || superseded_by FROM dead_letters"_s),
                 u"requeued"_s + result->newId);
        QCOMPARE(f.store.text(u"SELECT group_concat(id || queue || urgent || size) FROM messages"_s),
                 u"%1jobs1%2"_s.arg(result->newId).arg(payload.size()));
        const auto again = f.act(edit(u"a"_s, "{}"));
        QCOMPARE(again->refused[0].why, u"was edited already: its newer version is "_s + result->newId);
        QCOMPARE(f.store.number(u"SELECT count(*) FROM jobs"_s), 2);
    }

    void editsAWaitingJobAndItsVersionAgain()
    {
        GateFixture f;
        f.addWaitingJob(u"a"_s);
        const QString second = f.act(edit(u"a"_s, "2"))->newId;
        const QString third = f.act(edit(second, "3"))->newId;
        QCOMPARE(f.store.text(u"SELECT group_concat(id) FROM messages"_s), third);
        for (const QString& id : {u"a"_s, second, third}) {
            const auto versions = job_read_store::versions(f.store.db(), id);
            QCOMPARE(versions->size(), 3);
            QCOMPARE(versions->at(0).id, u"a"_s);
            QCOMPARE(versions->at(1).status, u"cancelled"_s);
            QCOMPARE(versions->at(2).id, third);
        }
    }

    void anEditThatTheDatabaseRefusesChangesNothing()
    {
        GateFixture f;
        f.addDeadJob(u"a"_s);
        f.store.execute(u"CREATE TRIGGER no_new BEFORE INSERT ON messages "
                        "BEGIN SELECT RAISE(ABORT, 'not today'); END"_s);
        const auto result = f.act(edit(u"a"_s, "{}"));
        QCOMPARE(result->refusedCount, 1);
        QVERIFY(result->newId.isEmpty());
        QCOMPARE(f.store.text(u"SELECT status FROM jobs"_s), u"dead"_s);
        QCOMPARE(f.store.number(u"SELECT count(*) FROM jobs"_s), 1);
        QCOMPARE(f.store.text(u"SELECT state FROM dead_letters"_s), u"open"_s);
        QCOMPARE(f.store.number(u"SELECT count(*) FROM messages WHERE queue = 'jobs-dlq'"_s), 1);
    }

    void editsAMessagesLetterByteForByte()
    {
        GateFixture f;
        f.store.execute(
            u"INSERT INTO dead_letters (kind, subject_id, source_queue, dead_letter_queue, attempts, reason, "
            "content_type, body, sent_at_ms, dead_at_ms, changed_at_ms) VALUES ('message', 'm', 'mail', "
            "'dlq', 3, 'retries_used_up', 'bytes', x'00ff', 1, 2, 2)"_s);
        f.store.execute(u"INSERT INTO messages (id, queue, is_job, content_type, body, size, sent_at_ms, "
                        "visible_at_ms) VALUES ('m', 'dlq', 0, 'bytes', x'00ff', 2, 1, 1)"_s);
        const auto result = f.act(edit(u"m"_s, QByteArray("\x01\0\xfe\n", 4)));
        QCOMPARE(result->succeeded, 1);
        QCOMPARE(f.store.text(u"SELECT group_concat(id || ' ' || queue || ' ' || hex(body) || ' ' || "
                              "typeof(body) || ' ' || content_type) FROM messages"_s),
                 result->newId + u" mail 0100FE0A blob bytes"_s);
        QCOMPARE(f.store.text(u"SELECT state || hex(body) FROM dead_letters"_s), u"requeued00FF"_s);
        QCOMPARE(f.act(edit(u"m"_s, "x"))->refusedCount, 1);
    }

    void judgesAnEditAsTheIntakeDoes_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QByteArray>("payload");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const char* type, const QByteArray& payload, const char* says) {
            QTest::newRow(name) << QString::fromLatin1(type) << payload << QString::fromLatin1(says);
        };
        row("no JSON", "mail", "{\"a\":}", "JSON error at byte 5");
        row("empty", "mail", "", "JSON error at byte 0");
        row("NUL", "mail", "\"\\u0000\"", "NUL");
        row("surrogate", "mail", "\"\\ud800\"", "surrogate");
        row("not UTF-8", "mail", "\"\xff\"", "Invalid UTF-8");
        row("deep", "mail", QByteArray(64, '[') + QByteArray(64, ']'), "deeper than 63");
        row("deep enough", "mail", QByteArray(63, '[') + QByteArray(63, ']'), "");
        row("twice a key, as HTTP takes it", "mail", "{\"a\":1,\"a\":2}", "");
        row("128,000 bytes", "mail", '"' + QByteArray(127'998, 'x') + '"', "");
        row("one more", "mail", '"' + QByteArray(127'999, 'x') + '"', "128000 bytes, this one has 128001");
        row("URL", "webhook_fanout", R"({"endpoints":[{"id":"a","url":"ftp://x"}]})",
            "payload.endpoints[0].url: The URL must be http or https");
        row("path", "process_file", R"({"path":"/etc/passwd"})", "payload.path: The file is outside");
    }

    void judgesAnEditAsTheIntakeDoes()
    {
        QFETCH(QString, type);
        QFETCH(QByteArray, payload);
        QFETCH(QString, says);
        GateFixture f;
        f.gate.setLimits({{u"jobs"_s, u"mail"_s}, PayloadRules({u"/srv/files"_s})});
        f.addWaitingJob(u"a"_s, type);
        const auto plan = f.gate.plan(f.store.db(), edit(u"a"_s, payload), f.clock.wallMs());
        QCOMPARE(plan.has_value(), says.isEmpty());
        const auto result = f.act(edit(u"a"_s, payload));
        QCOMPARE(result.has_value(), says.isEmpty());
        QCOMPARE(f.store.number(u"SELECT count(*) FROM jobs"_s), says.isEmpty() ? 2 : 1);
        if (!says.isEmpty())
            QVERIFY2(result.error().text().contains(says), qPrintable(result.error().text()));
    }

    void oneThingIsEditedAtATime()
    {
        GateFixture f;
        f.addWaitingJobs({u"a"_s, u"b"_s});
        auto asked = edit(u"a"_s, "1");
        asked.scope.ids.append(u"b"_s);
        QCOMPARE(f.act(asked).error().kind, ErrorKind::InvalidInput);
        asked.payload.reset();
        asked.scope.ids = {u"a"_s};
        QCOMPARE(f.act(asked).error().kind, ErrorKind::InvalidInput);
        QCOMPARE(f.store.number(u"SELECT count(*) FROM redrives"_s), 0);
    }
};

QTEST_GUILESS_MAIN(WorkActionsTest)
#include "work_actions_test.moc"
