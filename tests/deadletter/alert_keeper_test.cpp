// Alerts over a real store and real sockets: how many there are, that they arrive, and that nothing else
// waits for them.
#include "tests/deadletter/alert_harness.h"
#include "tests/support/http_receiver.h"

#include "core/deadletter/alert_grouping.h"
#include "core/store/alert_store.h"
#include "core/store/breaker_store.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace redrive;
using namespace redrive::test;

namespace {

QJsonObject bodyOf(const ReceivedRequest& request)
{
    return QJsonDocument::fromJson(request.body).object();
}

constexpr qint64 kWindowMs = 600'000;

} // namespace

class AlertKeeperTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fiftyFailuresOfAnEndpointAreOneAlert()
    {
        HttpReceiver receiver;
        AlertHarness alerts(alertsTo(receiver.url()));
        QVERIFY(alerts.settle());
        for (int event = 0; event < 50; ++event)
            QVERIFY(alerts.die(1));
        QCOMPARE(receiver.arrivalCount(), 1);
        QCOMPARE(bodyOf(receiver.arrivals()[0])[u"count"].toInt(), 1);

        QVERIFY(alerts.advance(kWindowMs - 1'000));
        QCOMPARE(receiver.arrivalCount(), 1);
        QVERIFY(alerts.advance(1'000));
        QCOMPARE(receiver.arrivalCount(), 2);
        const QJsonObject digest = bodyOf(receiver.arrivals()[1]);
        QCOMPARE(digest[u"count"].toInt(), 49);
        QCOMPARE(digest[u"digest"].toBool(), true);
        QCOMPARE(digest[u"title"].toString(), u"HTTP 503 (acme)"_s);
        QCOMPARE(digest[u"examples"].toArray().size(), 5);
        QCOMPARE(digest[u"examples"].toArray()[0].toObject()[u"id"].toString(), u"delivery-2"_s);

        QVERIFY(alerts.advance(kWindowMs)); // nothing came: the group is over
        QCOMPARE(receiver.arrivalCount(), 2);
        QCOMPARE(alerts.number(u"SELECT count(*) FROM alert_groups"_s), 0);
        QVERIFY(alerts.die(1));
        QCOMPARE(receiver.arrivalCount(), 3);
        QCOMPARE(alerts.number(u"SELECT count(*) FROM webhook_deliveries"_s), 0);
    }

    void eachGroupHasItsOwn()
    {
        HttpReceiver receiver;
        AlertHarness alerts(alertsTo(receiver.url()));
        QVERIFY(alerts.settle());
        QVERIFY(alerts.die(2, u"acme"_s));
        QVERIFY(alerts.die(2, u"other"_s));
        QVERIFY(alerts.die(2, u"acme"_s, u"HTTP 500"_s));
        QVERIFY(alerts.die(2, u"acme"_s, u"timeout after 31 ms"_s));
        QVERIFY(alerts.die(2, u"acme"_s, u"timeout after 47 ms"_s));
        QCOMPARE(receiver.arrivalCount(), 4);
    }

    void whatIsImportedIsNoNews()
    {
        HttpReceiver receiver;
        AlertHarness alerts(alertsTo(receiver.url()));
        QVERIFY(alerts.settle());
        QVERIFY(alerts.turn([&](Cycle& cycle) -> Status {
            REDRIVE_TRY(alerts.addLetters(cycle, 3, u"acme"_s, u"HTTP 503"_s));
            return cycle.db.execute(u"UPDATE dead_letters SET dead_at_ms = dead_at_ms - 86400000"_s);
        }));
        QVERIFY(alerts.settle());
        QCOMPARE(receiver.arrivalCount(), 0);
        QVERIFY(alerts.die(1));
        QCOMPARE(receiver.arrivalCount(), 1);
    }

    // Thousands at once, of a thousand kinds: turns stay small and so does what people get.
    void aFloodIsTakenInSlices()
    {
        HttpReceiver receiver;
        AlertHarness alerts(alertsTo(receiver.url()));
        QVERIFY(alerts.settle());
        const int before = alerts.turns;
        QVERIFY(alerts.turn([&](Cycle& cycle) -> Status {
            for (int kind = 0; kind < 1'000; ++kind)
                REDRIVE_TRY(alerts.addLetters(cycle, 3, u"endpoint-%1"_s.arg(kind), u"HTTP 503"_s));
            return {};
        }));
        QVERIFY(alerts.settle());
        QVERIFY(alerts.turns - before >= 3'000 / alert_grouping::kMostLetters);
        const qint64 made = alerts.number(u"SELECT count(*) FROM alerts"_s);
        QCOMPARE(made, alert_grouping::kMostAlerts + 1);
        QCOMPARE(alerts.number(
                     u"SELECT (SELECT sum(count) FROM alerts) + (SELECT sum(waiting) FROM alert_groups)"_s),
                 3'000);
        QCOMPARE(receiver.arrivalCount(), int(made));
    }

    void whatWasDeadBeforeIsNoNews()
    {
        HttpReceiver receiver;
        AlertHarness alerts(alertsTo(receiver.url()));
        alerts.store.execute(u"UPDATE alert_reach SET letter_no = 10"_s);
        QVERIFY(alerts.die(10));
        QCOMPARE(receiver.arrivalCount(), 0);
        QVERIFY(alerts.die(1));
        QCOMPARE(receiver.arrivalCount(), 1);
    }

    void aTargetThatFailsIsTriedAgainAndSaidToFail()
    {
        HttpReceiver receiver;
        receiver.answerNext("/hook", ReceiverAnswer::status(500, "broken"));
        receiver.answerNext("/hook", ReceiverAnswer::resetWithoutAnswer());
        receiver.answerNext("/hook", ReceiverAnswer::retryAfter(429, "60"));
        AlertHarness alerts(alertsTo(receiver.url()));
        QVERIFY(alerts.settle());
        QVERIFY(alerts.die(1));
        QCOMPARE(receiver.arrivalCount(), 1);
        QCOMPARE(alerts.keeper().failing().size(), 1);
        QCOMPARE(alerts.keeper().failing()[0].error, u"HTTP 500: broken"_s);
        QVERIFY(!alerts.keeper().failing()[0].place.contains(u"hook"));

        QVERIFY(alerts.advance(4'999));
        QCOMPARE(receiver.arrivalCount(), 1);
        QVERIFY(alerts.advance(1));
        QCOMPARE(receiver.arrivalCount(), 2);
        QVERIFY(alerts.advance(15'000));
        QCOMPARE(receiver.arrivalCount(), 3);
        QVERIFY(alerts.advance(59'000)); // asked to wait for longer than the schedule says
        QCOMPARE(receiver.arrivalCount(), 3);
        QVERIFY(alerts.advance(1'000));
        QCOMPARE(receiver.arrivalCount(), 4);
        QCOMPARE(alerts.text(u"SELECT state FROM alert_posts"_s), u"sent"_s);
        QCOMPARE(alerts.number(u"SELECT attempts FROM alert_posts"_s), 4);
        QVERIFY(alerts.keeper().failing().isEmpty());
        for (const ReceivedRequest& request : receiver.arrivals())
            QCOMPARE(request.body, receiver.arrivals()[0].body);
    }

    void whatIsRefusedForGoodIsGivenUp()
    {
        HttpReceiver receiver;
        receiver.answer("/hook", ReceiverAnswer::status(404, "no_service"));
        AlertHarness alerts(alertsTo(receiver.url()));
        QVERIFY(alerts.settle());
        QVERIFY(alerts.die(1));
        QVERIFY(alerts.advance(kWindowMs));
        QCOMPARE(receiver.arrivalCount(), 1);
        QCOMPARE(alerts.text(u"SELECT state FROM alert_posts"_s), u"failed"_s);
        QCOMPARE(alerts.keeper().failing().size(), 1);
    }

    void theGuardJudgesTargetsToo()
    {
        AlertHarness alerts(alertsTo(u"http://169.254.169.254/latest"_s));
        QVERIFY(alerts.settle());
        QVERIFY(alerts.die(1));
        QCOMPARE(alerts.text(u"SELECT state FROM alert_posts"_s), u"failed"_s);
        QVERIFY(alerts.text(u"SELECT error FROM alert_posts"_s).contains(u"169.254.169.254"));
    }

    // Each target has its own posts and its own schedule.
    void oneThatHangsDelaysNoOther()
    {
        HttpReceiver receiver;
        receiver.answer("/slow", ReceiverAnswer::status(200).hold());
        Settings settings = alertsTo(receiver.url("/slow"));
        settings.alerts.webhooks.append({AlertForm::Slack, receiver.url("/fast"), {}, {}});
        AlertHarness alerts(settings);
        QVERIFY(alerts.settle());
        for (int kind = 0; kind < 3; ++kind)
            QVERIFY(alerts.turn([&](Cycle& cycle) {
                return alerts.addLetters(cycle, 1, u"endpoint-%1"_s.arg(kind), u"HTTP 503"_s);
            }));
        QTRY_VERIFY((void(alerts.turn()), receiver.arrivalCount("/fast") == 3));
        QTRY_COMPARE(receiver.arrivalCount("/slow"), 1);
        receiver.release("/slow");
        QVERIFY(alerts.settle());
        QCOMPARE(receiver.arrivalCount("/slow"), 3);
    }

    void anEngineThatDiesBetweenWriteAndPostLosesNone()
    {
        HttpReceiver receiver;
        AlertHarness alerts(alertsTo(receiver.url()));
        QVERIFY(alerts.settle());
        alerts.holdBack = true;
        QVERIFY(
            alerts.turn([&](Cycle& cycle) { return alerts.addLetters(cycle, 3, u"acme"_s, u"HTTP 503"_s); }));
        QCOMPARE(alerts.text(u"SELECT state FROM alert_posts"_s), u"sending"_s);
        alerts.holdBack = false;
        const qint64 dead = alerts.instanceNo;
        alerts.start();
        QVERIFY(alerts.settle());
        QCOMPARE(receiver.arrivalCount(), 0); // it may live
        QVERIFY(alerts.turn([&](Cycle& cycle) -> Status {
            REDRIVE_ASSIGN(all, AlertKeeper::recover(cycle, dead));
            return all ? Status() : fail(ErrorKind::Internal, u"more"_s);
        }));
        QVERIFY(alerts.settle());
        QCOMPARE(receiver.arrivalCount(), 1);
        QCOMPARE(bodyOf(receiver.arrivals()[0])[u"count"].toInt(), 3);
        QCOMPARE(alerts.number(u"SELECT attempts FROM alert_posts"_s), 1);
    }

    // The one that posts is not the only one that tells of it.
    void anotherEngineHearsOfATargetThatFails()
    {
        HttpReceiver receiver;
        receiver.answer("/hook", ReceiverAnswer::status(500));
        const Settings settings = alertsTo(receiver.url());
        AlertHarness posts(settings);
        AlertKeeper other(
            settings, [](HttpRequest, std::function<void(HttpOutcome)>) { return false; }, [] {});
        const auto failingElsewhere = [&] {
            const Status turned = posts.turn([&](Cycle& cycle) {
                other.lookAgain();
                return other.apply(cycle);
            });
            return turned ? other.failing().size() : -1;
        };
        QCOMPARE(failingElsewhere(), 0);
        QVERIFY(posts.die(1));
        QCOMPARE(posts.keeper().failing().size(), 1);
        QCOMPARE(failingElsewhere(), 1);
        receiver.answer("/hook", ReceiverAnswer::status(200));
        QVERIFY(posts.advance(60'000));
        QCOMPARE(posts.keeper().failing().size(), 0);
        QCOMPARE(failingElsewhere(), 0);
    }

    void twoEnginesMakeAndPostEachOnce()
    {
        HttpReceiver receiver;
        const Settings settings = alertsTo(receiver.url());
        AlertHarness one(settings);
        const auto db = one.store.openWriter();
        HttpSenderOptions options;
        options.guard = TargetGuard::make({}, true).value();
        HttpSender sender(std::move(options));
        sender.start();
        AlertKeeper other(
            settings,
            [&](HttpRequest request, std::function<void(HttpOutcome)> answer) {
                return sender.send(std::move(request), std::move(answer));
            },
            [] {});
        const auto otherTurn = [&]() -> Status {
            REDRIVE_ASSIGN(transaction, Transaction::begin(*db));
            Cycle cycle(*db);
            cycle.nowMs = one.clock.wallMs();
            cycle.steadyMs = one.clock.steadyMs();
            cycle.instanceNo = 77;
            other.lookAgain();
            REDRIVE_TRY(other.apply(cycle));
            REDRIVE_TRY(transaction.commit());
            for (const auto& follow : cycle.afterCommit)
                follow();
            return {};
        };
        QVERIFY(one.settle());
        QVERIFY(otherTurn());
        for (int window = 0; window < 3; ++window) {
            QVERIFY(
                one.turn([&](Cycle& cycle) { return one.addLetters(cycle, 5, u"acme"_s, u"HTTP 503"_s); }));
            QVERIFY(otherTurn());
            one.keeper().lookAgain();
            QVERIFY(one.settle());
            QTRY_VERIFY((void(otherTurn()), other.isIdle()));
            one.clock.advance(kWindowMs);
            QVERIFY(otherTurn());
            one.keeper().lookAgain();
            QVERIFY(one.settle());
            QTRY_VERIFY((void(otherTurn()), other.isIdle()));
        }
        sender.stop(0);
        const qint64 made = one.number(u"SELECT count(*) FROM alerts"_s);
        QCOMPARE(one.number(u"SELECT sum(count) FROM alerts"_s) +
                     one.number(u"SELECT COALESCE(sum(waiting), 0) FROM alert_groups"_s),
                 15);
        QCOMPARE(receiver.arrivalCount(), int(made));
        QCOMPARE(one.number(u"SELECT count(*) FROM alert_posts WHERE state = 'sent'"_s), made);
    }

    void notesBecomeAlertsOfTheirOwn()
    {
        HttpReceiver receiver;
        AlertHarness alerts(alertsTo(receiver.url()));
        QVERIFY(alerts.settle());
        const auto note = [&](AlertKind kind, const QString& detail) {
            return alerts.turn([&](Cycle& cycle) {
                return alert_store::note(cycle, kind, u"acme"_s, detail);
            }) && alerts.settle();
        };
        QVERIFY(note(AlertKind::EndpointDisabled, u"it answered 410; its deliveries are held"_s));
        QVERIFY(note(AlertKind::BreakerOpen, {}));
        QVERIFY(note(AlertKind::BreakerOpen, {}));   // within its window
        QVERIFY(note(AlertKind::BreakerClosed, {})); // for the window alone
        QVERIFY(note(AlertKind::RedriveFinished, u"replay, 100 done"_s));
        QCOMPARE(receiver.arrivalCount(), 2);
        QCOMPARE(bodyOf(receiver.arrivals()[0])[u"summary"].toString(),
                 u"Endpoint disabled: acme: it answered 410; its deliveries are held"_s);
        QCOMPARE(bodyOf(receiver.arrivals()[1])[u"kind"].toString(), u"breaker_open"_s);
        QCOMPARE(alerts.number(u"SELECT count(*) FROM alerts"_s), 4);
        QCOMPARE(alerts.number(u"SELECT count(*) FROM alert_notes"_s), 0);
    }

    // What cannot be written of alerts costs the work of the turn nothing.
    void aDatabaseThatRefusesAlertsStopsNothing()
    {
        HttpReceiver receiver;
        AlertHarness alerts(alertsTo(receiver.url()));
        QVERIFY(alerts.settle());
        alerts.store.execute(
            u"CREATE TRIGGER refuse BEFORE INSERT ON alerts BEGIN SELECT RAISE(ABORT, 'no'); END"_s);
        QVERIFY(alerts.die(2));
        QCOMPARE(alerts.number(u"SELECT count(*) FROM dead_letters"_s), 2);
        alerts.store.execute(u"DROP TRIGGER refuse"_s);
        QVERIFY(alerts.advance(10'000));
        QCOMPARE(receiver.arrivalCount(), 1);
        QCOMPARE(bodyOf(receiver.arrivals()[0])[u"count"].toInt(), 2);
    }

    void aClockThatWasWrongHoldsNothingUp()
    {
        HttpReceiver receiver;
        AlertHarness alerts(alertsTo(receiver.url()));
        alerts.clock.jumpWall(86'400'000);
        QVERIFY(alerts.settle());
        QVERIFY(alerts.die(1));
        QVERIFY(alerts.die(1));
        alerts.clock.jumpWall(-86'400'000);
        alerts.keeper().lookAgain();
        QVERIFY(alerts.settle());
        QCOMPARE(receiver.arrivalCount(), 2);
    }
};

QTEST_GUILESS_MAIN(AlertKeeperTest)
#include "alert_keeper_test.moc"
