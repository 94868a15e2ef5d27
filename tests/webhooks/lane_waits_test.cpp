// What a lane waits for: its rate and its breaker.
#include "tests/webhooks/delivery_harness.h"

#include "core/base/ids.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;

namespace {

EndpointSettings endpointOf(const QString& id)
{
    EndpointSettings endpoint;
    endpoint.id = id;
    endpoint.url = u"http://127.0.0.1:9/"_s + id;
    return endpoint;
}

Settings settingsOf(const QList<EndpointSettings>& endpoints)
{
    Settings settings;
    settings.endpoints = endpoints;
    return settings;
}

void fanOutMany(DeliveryHarness& harness, int events, const QByteArray& payload = R"({"eventType":"t"})")
{
    const Status made = harness.turn([&](Cycle& cycle) -> Status {
        for (int i = 0; i < events; ++i)
            harness.runFanOut(cycle, payload, newId(cycle.nowMs));
        return {};
    });
    if (!made)
        QTest::qFail(qPrintable(made.error().text()), __FILE__, __LINE__);
    harness.advance(0);
}

qint64 waitMs(DeliveryHarness& harness)
{
    return harness.dispatcher().nextDeadline().value_or(-1) - harness.clock.steadyMs();
}

HttpOutcome notSent(const char* code)
{
    HttpOutcome outcome;
    outcome.errorCode = QString::fromLatin1(code);
    outcome.errorText = u"words"_s;
    outcome.peerAddress = u"127.0.0.1"_s;
    return outcome;
}

} // namespace

class LaneWaitsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rateSpacesTheRequests();
    void rateOfAPayloadsEndpoint();
    void rateOutlivesAnIdleLane();
    void openBreakerLetsOneProbePass();
    void openBreakerCostsNoBudget();
    void openBreakerSurvivesARestart();
    void successOfTheProbeDrains();
    void whatIsAboutTheRequestOpensNothing();
    void otherEndpointsGoOn();
};

void LaneWaitsTest::rateSpacesTheRequests()
{
    EndpointSettings limited = endpointOf(u"limited"_s);
    limited.ratePerSecond = 2;
    limited.maxInFlight = 100;
    DeliveryHarness harness(settingsOf({limited, endpointOf(u"free"_s)}));
    harness.holdBack = true;
    fanOutMany(harness, 8);
    QCOMPARE(harness.heldBackOf(u"/free"_s), 4);
    for (int sent = 1; sent < 8; ++sent) {
        QCOMPARE(harness.heldBackOf(u"/limited"_s), sent);
        QCOMPARE(waitMs(harness), 500); // wakes when it is due, and not before
        harness.advance(499);
        QCOMPARE(harness.heldBackOf(u"/limited"_s), sent);
        harness.advance(1);
    }
    QCOMPARE(harness.heldBackOf(u"/limited"_s), 8);
    harness.answerHeld(200, u"/limited"_s);
    harness.answerHeld(200);
    harness.answerHeld(200);
    QVERIFY(harness.dispatcher().isIdle());
    harness.advance(500);
    QCOMPARE(harness.dispatcher().nextDeadline(), std::nullopt);
}

void LaneWaitsTest::rateOfAPayloadsEndpoint()
{
    DeliveryHarness harness;
    harness.holdBack = true;
    fanOutMany(
        harness, 3,
        R"({"eventType":"t","endpoints":[{"id":"e","url":"http://127.0.0.1:9/e","rate":0.5,"max_in_flight":9}]})");
    QCOMPARE(harness.heldBack.size(), 1);
    harness.advance(1'999);
    QCOMPARE(harness.heldBack.size(), 1);
    harness.advance(1);
    QCOMPARE(harness.heldBack.size(), 2);
}

void LaneWaitsTest::rateOutlivesAnIdleLane()
{
    EndpointSettings limited = endpointOf(u"e"_s);
    limited.ratePerSecond = 1;
    DeliveryHarness harness(settingsOf({limited}));
    harness.holdBack = true;
    fanOutMany(harness, 1);
    harness.answerHeld(200);
    fanOutMany(harness, 1);
    QCOMPARE(harness.heldBack.size(), 0);
    QCOMPARE(waitMs(harness), 1'000);
    harness.advance(1'000);
    QCOMPARE(harness.heldBack.size(), 1);
}

void LaneWaitsTest::openBreakerLetsOneProbePass()
{
    DeliveryHarness harness(settingsOf({endpointOf(u"e"_s)}));
    harness.holdBack = true;
    harness.maxRetries = 20;
    fanOutMany(harness, 20);
    harness.answerHeld(500);
    QCOMPARE(harness.heldBack.size(), 4); // four failures do not open it
    harness.answerHeld(500);
    QCOMPARE(harness.heldBack.size(), 0);
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM delivery_attempts"_s), 8);
    int requests = 8;
    for (const int seconds : {30, 60, 120}) {
        fanOutMany(harness, 1); // new events wait as well
        harness.advance(seconds * 1'000 - 1);
        QCOMPARE(harness.heldBack.size(), 0);
        harness.advance(1);
        QCOMPARE(harness.heldBack.size(), 1);
        harness.advance(3'600'000); // and no second one beside it
        QCOMPARE(harness.heldBack.size(), 1);
        ++requests;
        harness.answerHeld(503);
        QCOMPARE(harness.heldBack.size(), 0);
        QCOMPARE(harness.number(u"SELECT COUNT(*) FROM delivery_attempts"_s), requests);
        QCOMPARE(harness.number(u"SELECT openings FROM endpoint_breakers WHERE endpoint_id = 'e'"_s),
                 requests - 7);
    }
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM alert_notes WHERE kind = 'breaker_open'"_s), 1);
}

void LaneWaitsTest::openBreakerCostsNoBudget()
{
    DeliveryHarness harness(settingsOf({endpointOf(u"e"_s)}));
    harness.holdBack = true;
    harness.maxRetries = 1;
    fanOutMany(harness, 5);
    harness.answerHeld(500);
    harness.answerHeld(500); // the fifth opens it
    QCOMPARE(
        harness.number(u"SELECT COUNT(*) FROM webhook_deliveries WHERE status = 'failed' AND spent = 1"_s),
        5);
    QCOMPARE(harness.text(u"SELECT next_reason FROM delivery_attempts WHERE next_at_ms = 1900000030000"_s),
             u"10 s step after failure 1 of 2, breaker open until 17:47:10 UTC"_s);
    harness.advance(29'999);
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM webhook_deliveries WHERE status = 'failed' AND spent = 1 "
                            "AND due_at_ms = 1900000010000"_s),
             5); // in place
    harness.advance(1);
    harness.answerHeld(500);
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM webhook_deliveries WHERE status = 'dead'"_s), 1);
    QCOMPARE(harness.number(u"SELECT MAX(spent) FROM webhook_deliveries WHERE status = 'failed'"_s), 1);
}

void LaneWaitsTest::openBreakerSurvivesARestart()
{
    DeliveryHarness harness(settingsOf({endpointOf(u"e"_s)}));
    harness.holdBack = true;
    fanOutMany(harness, 8);
    harness.answerHeld(500);
    harness.answerHeld(500);
    harness.advance(20'000);
    harness.crash();
    harness.advance(9'999);
    QCOMPARE(harness.heldBack.size(), 0);
    harness.advance(1);
    QCOMPARE(harness.heldBack.size(), 1);
    harness.crash(); // with the probe under way: another one at once
    harness.advance(0);
    QCOMPARE(harness.heldBack.size(), 1);
    harness.answerHeld(500);
    harness.advance(59'999);
    QCOMPARE(harness.heldBack.size(), 0);
    harness.advance(1);
    harness.answerHeld(200);
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM endpoint_breakers"_s), 0);
    harness.crash();
    harness.advance(0);
    QCOMPARE(harness.heldBack.size(), 4);

    // One whose deliveries are all gone is not remembered for ever.
    harness.store.execute(u"INSERT INTO endpoint_breakers VALUES ('gone', 1, 2, 3)"_s);
    harness.crash();
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM endpoint_breakers"_s), 0);
}

void LaneWaitsTest::successOfTheProbeDrains()
{
    DeliveryHarness harness(settingsOf({endpointOf(u"e"_s)}));
    harness.holdBack = true;
    fanOutMany(harness, 12);
    harness.answerHeld(500);
    harness.answerHeld(500);
    harness.advance(30'000);
    harness.answerHeld(200);
    QCOMPARE(harness.heldBack.size(), 4);
    while (!harness.heldBack.empty())
        harness.answerHeld(200);
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM webhook_deliveries WHERE status = 'delivered'"_s), 12);
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM alert_notes WHERE kind = 'breaker_closed'"_s), 1);
}

void LaneWaitsTest::whatIsAboutTheRequestOpensNothing()
{
    EndpointSettings unsigned_ = endpointOf(u"unsigned"_s);
    unsigned_.secrets = QStringList{u"NOT_SET"_s};
    DeliveryHarness harness(settingsOf({endpointOf(u"e"_s), unsigned_}));
    harness.holdBack = true;
    fanOutMany(harness, 40);
    for (const int status : {400, 413, 415, 422})
        harness.answerHeld(status);
    harness.endHeld(notSent("blocked"));
    harness.endHeld(notSent("invalid_request"));
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM endpoint_breakers"_s), 0);
    QCOMPARE(harness.heldBackOf(u"/e"_s), 4);
    harness.endHeld(notSent("refused"));
    harness.endHeld(notSent("tls_failed"));
    QCOMPARE(harness.text(u"SELECT endpoint_id FROM endpoint_breakers"_s), u"e"_s);
}

void LaneWaitsTest::otherEndpointsGoOn()
{
    DeliveryHarness harness(settingsOf({endpointOf(u"bad"_s), endpointOf(u"good"_s)}));
    harness.holdBack = true;
    fanOutMany(harness, 30);
    for (int i = 0; i < 8; ++i) {
        harness.answerHeld(500, u"/bad"_s);
        harness.answerHeld(200, u"/good"_s);
    }
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM delivery_attempts WHERE outcome = 'delivered'"_s), 30);
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM delivery_attempts WHERE outcome = 'failed'"_s), 8);
}

QTEST_GUILESS_MAIN(LaneWaitsTest)
#include "lane_waits_test.moc"
