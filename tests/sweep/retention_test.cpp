#include "core/sweep/retention.h"

#include "core/engine/lone_turn.h"
#include "tests/support/manual_clock.h"
#include "tests/support/test_store.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;

namespace {

constexpr qint64 kDay = 86'400'000;

struct Rig
{
    ManualClock clock;
    TestStore store;
    Retention retention{RetentionSettings()};

    qint64 daysAgo(double days) const { return clock.wallMs() - qint64(days * double(kDay)); }

    Status turn()
    {
        retention.turnBegins();
        return runLoneTurn(store.db(), clock, [this](Cycle& cycle) { return retention.apply(cycle); });
    }
    // One whole round; the number of slices.
    int round()
    {
        clock.advance(Retention::kEveryMs * 20);
        int slices = 0;
        while (retention.hasWork(clock.wallMs(), clock.steadyMs())) {
            if (!turn())
                return -1;
            ++slices;
            clock.advance(slices == 1 && first ? Retention::kFirstAfterMs : Retention::kPauseMs);
            first = false;
        }
        return slices;
    }
    bool first = true;

    void job(const QString& id, const QString& status, double days)
    {
        store.execute(u"INSERT INTO jobs (id, type, status, created_at_ms, updated_at_ms) "
                      "VALUES ('%1', 't', '%2', %3, %3)"_s.arg(id, status)
                          .arg(daysAgo(days)));
        store.execute(u"INSERT INTO job_attempts (job_id, run, attempt, started_at_ms, outcome) "
                      "VALUES ('%1', 1, 1, 1, 'done'), ('%1', 1, 2, 1, 'done')"_s.arg(id));
        store.execute(u"INSERT INTO job_results (job_id, run, content, created_at_ms) "
                      "VALUES ('%1', 1, '{}', 1)"_s.arg(id));
    }
    void letter(const QString& subject, const QString& kind, const QString& state, double deadDays,
                double changedDays)
    {
        store.execute(u"INSERT INTO dead_letters (kind, subject_id, state, attempts, reason, sent_at_ms, "
                      "dead_at_ms, changed_at_ms) VALUES ('%1', '%2', '%3', 1, 'r', 1, %4, %5)"_s
                          .arg(kind, subject, state)
                          .arg(daysAgo(deadDays))
                          .arg(daysAgo(changedDays)));
    }
    void delivery(const QString& id, const QString& job, const QString& status, double days)
    {
        store.execute(u"INSERT INTO webhook_events (id, job_id, run, event_type, body, created_at_ms) "
                      "VALUES ('e-%1', '%1', 1, 'made', '{}', 1) ON CONFLICT DO NOTHING"_s.arg(job));
        store.execute(u"INSERT INTO webhook_deliveries (id, endpoint_id, event_type, status, event_id, "
                      "job_id, created_at_ms, updated_at_ms) VALUES ('%1', '%1', 'made', '%3', 'e-%2', "
                      "'%2', %4, %4)"_s.arg(id, job, status)
                          .arg(daysAgo(days)));
        store.execute(u"INSERT INTO delivery_attempts (delivery_id, attempt, instance_no, url, "
                      "started_at_ms, finished_at_ms, response_body) VALUES ('%1', 1, 1, 'u', %2, %2, "
                      "x'00')"_s.arg(id)
                          .arg(daysAgo(days)));
    }
    QString ids(const QString& table, const QString& column = u"id"_s)
    {
        return store.text(
            u"SELECT group_concat(%2) FROM (SELECT %2 FROM %1 ORDER BY 1)"_s.arg(table, column));
    }
};

} // namespace

class RetentionTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void finishedJobsGoAfterSevenDays()
    {
        Rig rig;
        rig.job(u"cancelled-old"_s, u"cancelled"_s, 7);
        rig.job(u"done-old"_s, u"done"_s, 7);
        rig.job(u"open-old"_s, u"pending"_s, 100);
        rig.job(u"odd-old"_s, u"archived"_s, 100);
        rig.job(u"running-old"_s, u"processing"_s, 100);
        rig.job(u"done-young"_s, u"done"_s, 6.9);
        rig.store.execute(u"UPDATE jobs SET created_at_ms = 1"_s); // it is the last change that counts
        QVERIFY(rig.round() > 0);
        const QString left = u"done-young,odd-old,open-old,running-old"_s;
        QCOMPARE(rig.ids(u"jobs"_s), left);
        QCOMPARE(
            rig.store.text(u"SELECT group_concat(job_id) FROM (SELECT DISTINCT job_id FROM job_attempts)"_s),
            left);
        QCOMPARE(rig.ids(u"job_results"_s, u"job_id"_s), left);
    }

    void aMessageOrAnOpenDeliveryKeepsItsJob()
    {
        Rig rig;
        for (const QString& id : {u"stray"_s, u"fan"_s, u"sent"_s})
            rig.job(id, u"done"_s, 8);
        rig.store.execute(u"INSERT INTO messages (id, queue, is_job, size, sent_at_ms, visible_at_ms) "
                          "VALUES ('stray', 'q', 1, 1, 1, 1)"_s);
        rig.delivery(u"held"_s, u"fan"_s, u"held"_s, 8);
        rig.delivery(u"delivered"_s, u"sent"_s, u"delivered"_s, 8);
        QVERIFY(rig.round() > 0);
        QCOMPARE(rig.ids(u"jobs"_s), u"fan,stray"_s);
        QCOMPARE(rig.ids(u"webhook_events"_s), u"e-fan,e-sent"_s); // its delivery stays for 30 days
    }

    // Rows of a user's own, from before Redrive, and never changed by it.
    void rowsThatRedriveNeverTouchedStay()
    {
        Rig rig;
        rig.store.execute(u"INSERT INTO jobs (id, type, status, created_at, updated_at) "
                          "VALUES ('own', 't', 'done', 1, 1)"_s);
        rig.store.execute(u"INSERT INTO webhook_deliveries (id, endpoint_id, event_type, status, created_at) "
                          "VALUES ('own', 'e', 't', 'delivered', 1)"_s);
        QVERIFY(rig.round() > 0);
        QCOMPARE(rig.ids(u"jobs"_s), u"own"_s);
        QCOMPARE(rig.ids(u"webhook_deliveries"_s), u"own"_s);
    }

    void deadJobsGoSevenDaysAfterTheirLetter()
    {
        Rig rig;
        rig.job(u"a"_s, u"dead"_s, 14);
        rig.letter(u"a"_s, u"job"_s, u"open"_s, 14, 14);
        rig.job(u"binned"_s, u"dead"_s, 7);
        rig.letter(u"binned"_s, u"job"_s, u"discarded"_s, 20, 7);
        rig.job(u"no-letter"_s, u"dead"_s, 7);
        rig.job(u"young"_s, u"dead"_s, 13.9);
        rig.letter(u"young"_s, u"job"_s, u"open"_s, 13.9, 13.9);
        rig.job(u"restored"_s, u"dead"_s, 20);
        rig.letter(u"restored"_s, u"job"_s, u"open"_s, 20, 1);
        QVERIFY(rig.round() > 0);
        QCOMPARE(rig.ids(u"jobs"_s), u"a,binned,restored,young"_s);
        QCOMPARE(rig.ids(u"dead_letters"_s, u"subject_id"_s), u"restored,young"_s);
        rig.clock.advance(7 * kDay - 2 * 3'600'000);
        QVERIFY(rig.round() > 0);
        QCOMPARE(rig.ids(u"jobs"_s), u"a,binned,restored,young"_s);
        rig.clock.advance(2 * 3'600'000);
        QVERIFY(rig.round() > 0);
        QCOMPARE(rig.ids(u"jobs"_s), u"restored,young"_s);
        QCOMPARE(rig.store.number(u"SELECT count(*) FROM job_attempts WHERE job_id IN ('a', 'binned')"_s), 0);
    }

    void deliveriesAndTheBodiesOfTheirAnswers()
    {
        Rig rig;
        rig.job(u"j"_s, u"done"_s, 40);
        rig.delivery(u"a-delivered"_s, u"j"_s, u"delivered"_s, 30);
        rig.delivery(u"b-dead-with-letter"_s, u"j"_s, u"dead"_s, 30);
        rig.letter(u"b-dead-with-letter"_s, u"delivery"_s, u"open"_s, 5, 5);
        rig.delivery(u"c-retrying"_s, u"j"_s, u"failed"_s, 30);
        rig.delivery(u"d-delivered-young"_s, u"j"_s, u"delivered"_s, 3);
        rig.delivery(u"e-delivered-younger"_s, u"j"_s, u"delivered"_s, 2.9);
        QVERIFY(rig.round() > 0);
        QCOMPARE(rig.ids(u"webhook_deliveries"_s),
                 u"b-dead-with-letter,c-retrying,d-delivered-young,e-delivered-younger"_s);
        QCOMPARE(
            rig.store.number(u"SELECT count(*) FROM delivery_attempts WHERE delivery_id = 'a-delivered'"_s),
            0);
        QCOMPARE(rig.store.text(u"SELECT group_concat(delivery_id) FROM delivery_attempts "
                                "WHERE response_body IS NOT NULL"_s),
                 u"e-delivered-younger"_s);
    }

    void anEventGoesWithTheLastThatNeedsIt()
    {
        Rig rig;
        rig.job(u"j"_s, u"done"_s, 40);
        rig.delivery(u"d"_s, u"j"_s, u"delivered"_s, 40);
        rig.store.execute(u"INSERT INTO webhook_events (id, job_id, run, event_type, body, created_at_ms) "
                          "VALUES ('empty', 'nobody-listens', 1, 'made', '{}', 1)"_s);
        rig.job(u"nobody-listens"_s, u"done"_s, 40);
        QVERIFY(rig.round() > 0);
        QCOMPARE(rig.store.number(u"SELECT count(*) FROM webhook_events"_s), 0);
        QCOMPARE(rig.store.number(u"SELECT count(*) FROM jobs"_s), 0);
    }

    void records()
    {
        Rig rig;
        rig.letter(u"x"_s, u"job"_s, u"requeued"_s, 30, 14);
        rig.letter(u"y"_s, u"job"_s, u"requeued"_s, 30, 13);
        for (const double days : {365.0, 364.0}) {
            rig.store.execute(u"INSERT INTO audit (at_ms, actor, source, verb, target, count, result) "
                              "VALUES (%1, 'a', 's', 'v', 't', 1, 'r')"_s.arg(rig.daysAgo(days)));
            rig.store.execute(
                u"INSERT INTO alerts (kind, signature, title, is_digest, count, first_at_ms, "
                "last_at_ms, examples, at_ms) "
                "VALUES ('dead_letters', 's', 't', 0, 1, 1, 1, '[]', %1)"_s.arg(rig.daysAgo(days)));
            rig.store.execute(
                u"INSERT INTO sweeps (started_at_ms, finished_at_ms, cause, published, rescued, "
                "unrescuable) VALUES (%1, %1, 'cron', 0, 0, 0)"_s.arg(rig.daysAgo(days)));
            rig.store.execute(
                u"INSERT INTO redrives (verb, scope, actor, source, state, created_at_ms, "
                "finished_at_ms) VALUES ('requeue', 's', 'a', 's', 'done', 1, %1)"_s.arg(rig.daysAgo(days)));
        }
        rig.store.execute(
            u"INSERT INTO alert_posts (alert_no, target_id, changed_at_ms) VALUES (1, 't', 1), (2, 't', 1)"_s);
        rig.store.execute(u"INSERT INTO redrives (verb, scope, actor, source, state, created_at_ms) "
                          "VALUES ('requeue', 's', 'a', 's', 'running', 1)"_s);
        rig.store.execute(u"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 700) "
                          "INSERT INTO redrive_items (redrive_no, item_no, item_id) "
                          "SELECT r.no, i, 'x' FROM n, redrives r"_s);
        rig.store.execute(u"INSERT INTO idempotency_keys (route, token, key, body_sha256, job_id, "
                          "created_at_ms) VALUES ('/jobs', '', x'01', x'02', 'j', %1), ('/jobs', '', x'02', "
                          "x'02', 'j', %2)"_s.arg(rig.daysAgo(1))
                              .arg(rig.daysAgo(0.5)));
        rig.store.execute(
            u"INSERT INTO instances (owner, host, pid, version, boot_id, started_at_ms, "
            "lease_until_ms, ended_at_ms) VALUES ('old', 'h', 1, '1', 'b', 1, 1, %1), ('young', "
            "'h', 1, '1', 'b', 1, 1, %2), ('lives', 'h', 1, '1', 'b', 1, 1, NULL)"_s.arg(rig.daysAgo(30))
                .arg(rig.daysAgo(29)));
        QVERIFY(rig.round() > 0);
        QCOMPARE(rig.ids(u"dead_letters"_s, u"subject_id"_s), u"y"_s);
        QCOMPARE(rig.ids(u"audit"_s, u"no"_s), u"2"_s);
        QCOMPARE(rig.ids(u"alerts"_s, u"no"_s), u"2"_s);
        QCOMPARE(rig.ids(u"alert_posts"_s, u"alert_no"_s), u"2"_s);
        QCOMPARE(rig.ids(u"sweeps"_s, u"no"_s), u"2"_s);
        QCOMPARE(rig.ids(u"redrives"_s, u"no"_s), u"2,3"_s);
        QCOMPARE(rig.store.number(u"SELECT count(*) FROM redrive_items"_s), 1'400);
        QCOMPARE(rig.store.number(u"SELECT count(*) FROM idempotency_keys"_s), 1);
        QCOMPARE(rig.ids(u"instances"_s, u"owner"_s), u"lives,young"_s);
    }

    void endpointsAndTheirFigures()
    {
        Rig rig;
        for (const double days : {8.0, 6.0})
            rig.store.execute(
                u"INSERT INTO endpoint_stats VALUES ('e', %1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, "
                "0)"_s.arg(rig.daysAgo(days)));
        const auto endpoint = [&](const QString& id, const QString& origin, double days) {
            rig.store.execute(
                u"INSERT INTO endpoints (id, origin, version, url, created_at_ms, updated_at_ms) "
                "VALUES ('%1', '%2', 1, 'http://x', 1, %3)"_s.arg(id, origin)
                    .arg(rig.daysAgo(days)));
        };
        endpoint(u"old"_s, u"payload"_s, 31);
        endpoint(u"young"_s, u"payload"_s, 29);
        endpoint(u"made"_s, u"made"_s, 400);
        QVERIFY(rig.round() > 0);
        QCOMPARE(rig.store.number(u"SELECT count(*) FROM endpoint_stats"_s), 1);
        QCOMPARE(rig.ids(u"endpoints"_s, u"id"_s), u"made,young"_s);
    }

    void noSliceDeletesMany()
    {
        Rig rig;
        rig.store.execute(u"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2300) "
                          "INSERT INTO jobs (id, type, status, created_at_ms, updated_at_ms) "
                          "SELECT 'j' || i, 't', 'done', %1, %1 FROM n"_s.arg(rig.daysAgo(8)));
        QVERIFY(rig.turn()); // the start
        rig.clock.advance(Retention::kFirstAfterMs);
        qint64 before = rig.store.number(u"SELECT count(*) FROM jobs"_s);
        while (before > 0) {
            QVERIFY(rig.retention.hasWork(rig.clock.wallMs(), rig.clock.steadyMs()));
            QVERIFY(rig.turn());
            const qint64 now = rig.store.number(u"SELECT count(*) FROM jobs"_s);
            QVERIFY2(before - now <= Retention::kMost && before > now, qPrintable(QString::number(now)));
            QVERIFY(
                !rig.retention.hasWork(rig.clock.wallMs(), rig.clock.steadyMs())); // others have their turn
            before = now;
            rig.clock.advance(Retention::kPauseMs);
        }
    }

    void whatTheDatabaseRefusesHoldsNothingElseUp()
    {
        Rig rig;
        rig.job(u"kept"_s, u"done"_s, 8);
        rig.letter(u"x"_s, u"job"_s, u"requeued"_s, 30, 14);
        rig.store.execute(
            u"CREATE TRIGGER guard BEFORE DELETE ON jobs BEGIN SELECT RAISE(ABORT, 'no'); END"_s);
        QVERIFY(rig.round() > 0);
        QCOMPARE(rig.ids(u"jobs"_s), u"kept"_s);
        QCOMPARE(rig.store.number(u"SELECT count(*) FROM dead_letters"_s), 0);
    }
};

QTEST_GUILESS_MAIN(RetentionTest)
#include "retention_test.moc"
