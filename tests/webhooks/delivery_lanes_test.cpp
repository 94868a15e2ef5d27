#include "tests/support/http_receiver.h"
#include "tests/webhooks/delivery_harness.h"

#include "core/base/ids.h"
#include "core/net/signature_check.h"

#include <QElapsedTimer>
#include <QTest>

using namespace redrive;
using namespace redrive::test;

class DeliveryLanesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void slowEndpointStarvesNoOther();
    void eachEndpointHasItsLimit();
    void endpointsShareTheCapacity();
    void backlogOfAStartIsFound();
    void whatTheDatabaseRefusesStopsNoOther();
    void bodyIsKeptOnce();
    void interruptedAttemptIsMadeAgain();
    void crashBeforeTheRequestLeft();
    void rolledBackTurnChangesNothing();
    void lateOutcomeChangesNothing();
    void clockSetBackLosesNothing();
    void arrivalsEqualAttempts();
};

void DeliveryLanesTest::slowEndpointStarvesNoOther()
{
    DeliveryHarness harness;
    harness.holdBack = true;
    const QByteArray slow = fanOutPayload({{u"a-slow"_s, u"http://127.0.0.1:9/slow"_s}});
    QVERIFY(harness.turn([&](Cycle& cycle) -> Status {
        for (int i = 0; i < 1'000; ++i)
            harness.runFanOut(cycle, slow, newId(cycle.nowMs));
        return {};
    }));
    QCOMPARE(harness.heldBack.size(), 4);
    for (int i = 0; i < 20; ++i) {
        harness.fanOut(fanOutPayload({{u"quick"_s, u"http://127.0.0.1:9/quick"_s}}));
        QCOMPARE(harness.heldBack.size(), 5); // started in the turn that made it
        harness.answerHeld(200, u"/quick"_s);
    }
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM webhook_deliveries WHERE status = 'delivered'"_s), 20);
    // Another engine finds the same without reading the backlog.
    harness.crash();
    harness.fanOut(fanOutPayload({{u"quick"_s, u"http://127.0.0.1:9/quick"_s}}));
    QCOMPARE(harness.heldBack.size(), 5);
}

void DeliveryLanesTest::eachEndpointHasItsLimit()
{
    Settings settings;
    EndpointSettings wide;
    wide.id = u"wide"_s;
    wide.url = u"http://127.0.0.1:9/wide"_s;
    wide.maxInFlight = 7;
    settings.endpoints = {wide};
    DeliveryHarness harness(settings);
    harness.holdBack = true;
    const QByteArray payload = R"({"eventType":"t","endpoints":[{"id":"wide"},)"
                               R"({"id":"one","url":"http://127.0.0.1:9/one","max_in_flight":1},)"
                               R"({"id":"plain","url":"http://127.0.0.1:9/plain"}]})";
    for (int i = 0; i < 10; ++i)
        harness.fanOut(payload);
    QCOMPARE(harness.heldBack.size(), 12); // 7 + 1 + 4
    harness.answerHeld(200, u"/one"_s);
    QCOMPARE(harness.heldBack.size(), 12);
    harness.answerHeld(200, u"/wide"_s);
    QCOMPARE(harness.heldBack.size(), 8); // 3 that were left + 1 + 4
}

void DeliveryLanesTest::endpointsShareTheCapacity()
{
    DeliveryHarness harness({}, 6);
    harness.holdBack = true;
    const QByteArray payload = fanOutPayload({{u"a"_s, u"http://127.0.0.1:9/a"_s},
                                              {u"b"_s, u"http://127.0.0.1:9/b"_s},
                                              {u"c"_s, u"http://127.0.0.1:9/c"_s}});
    QVERIFY(harness.turn([&](Cycle& cycle) -> Status {
        for (int i = 0; i < 10; ++i)
            harness.runFanOut(cycle, payload, newId(cycle.nowMs));
        return {};
    }));
    QMap<QString, int> perEndpoint;
    for (const HttpRequest& request : harness.heldBack)
        ++perEndpoint[request.url.right(2)];
    QCOMPARE(perEndpoint, (QMap<QString, int>{{u"/a"_s, 2}, {u"/b"_s, 2}, {u"/c"_s, 2}}));
    int turns = 0;
    while (!harness.heldBack.empty()) {
        harness.answerHeld(200, {});
        QVERIFY(harness.heldBack.size() <= 6);
        QVERIFY(++turns <= 6);
    }
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM webhook_deliveries WHERE status = 'delivered'"_s), 30);
}

void DeliveryLanesTest::backlogOfAStartIsFound()
{
    DeliveryHarness harness;
    harness.holdBack = true;
    harness.dispatcher().beginStop();
    QVERIFY(harness.turn([&](Cycle& cycle) -> Status {
        for (int i = 0; i < 700; ++i)
            harness.runFanOut(cycle, fanOutPayload({{u"e%1"_s.arg(i), u"http://127.0.0.1:9/x"_s}}),
                              newId(cycle.nowMs));
        return {};
    }));
    QVERIFY(harness.heldBack.empty());
    harness.crash();
    harness.advance(0);
    int delivered = 0;
    while (!harness.heldBack.empty()) {
        delivered += int(harness.heldBack.size());
        harness.answerHeld(200, {});
    }
    QCOMPARE(delivered, 700);
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM webhook_deliveries WHERE status = 'delivered'"_s), 700);
}

void DeliveryLanesTest::whatTheDatabaseRefusesStopsNoOther()
{
    DeliveryHarness harness;
    harness.holdBack = true;
    harness.fanOut(
        fanOutPayload({{u"bad"_s, u"http://127.0.0.1:9/a"_s}, {u"good"_s, u"http://127.0.0.1:9/b"_s}}));
    harness.answerHeld(500, {});
    QVERIFY(harness.heldBack.empty());
    harness.store.execute(
        u"CREATE TRIGGER refusal BEFORE UPDATE ON webhook_deliveries WHEN new.endpoint_id = "
        "'bad' AND new.status = 'sending' BEGIN SELECT RAISE(ABORT, 'not this'); END"_s);
    harness.clock.advance(11'000);
    QVERIFY(!harness.turn());
    QVERIFY(harness.turn());
    QCOMPARE(harness.heldBack.size(), 1);
    QCOMPARE(harness.statusOf(u"good"_s), u"sending"_s);
    QCOMPARE(harness.statusOf(u"bad"_s), u"failed"_s);
    harness.store.execute(u"DROP TRIGGER refusal"_s);
    harness.advance(60'000);
    QCOMPARE(harness.statusOf(u"bad"_s), u"sending"_s);
}

void DeliveryLanesTest::bodyIsKeptOnce()
{
    DeliveryHarness harness;
    harness.holdBack = true;
    harness.fanOut(fanOutPayload({{u"a"_s, u"http://127.0.0.1:9/a"_s}, {u"b"_s, u"http://127.0.0.1:9/b"_s}}));
    QCOMPARE(harness.heldBack.size(), 2);
    QCOMPARE(harness.heldBack[0].body.get(), harness.heldBack[1].body.get());
}

void DeliveryLanesTest::interruptedAttemptIsMadeAgain()
{
    HttpReceiver receiver;
    receiver.answerNext("/hook", ReceiverAnswer::status(200).hold());
    Settings settings;
    settings.secrets = {{u"KEY"_s, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}};
    DeliveryHarness harness(settings);
    harness.fanOut(R"({"eventType":"t","endpoints":[{"id":"e","secret":"KEY","url":")" +
                   receiver.url().toLatin1() + "\"}]}");
    QVERIFY(receiver.waitForArrivals(1));
    harness.clock.advance(2'000);
    harness.crash();
    harness.advance(0);
    QVERIFY(harness.drain());
    QCOMPARE(harness.statusOf(u"e"_s), u"delivered"_s);
    QCOMPARE(
        harness.text(
            u"SELECT outcome || ' ' || class || ' ' || error_code FROM delivery_attempts WHERE attempt = 1"_s),
        u"interrupted unknown interrupted"_s);
    QCOMPARE(harness.number(u"SELECT spent FROM webhook_deliveries"_s), 1);
    const auto arrivals = receiver.arrivals();
    QCOMPARE(arrivals.size(), 2);
    QCOMPARE(arrivals[1].header("webhook-id"), arrivals[0].header("webhook-id"));
    QCOMPARE(arrivals[1].body, arrivals[0].body);
    QVERIFY(arrivals[1].header("webhook-timestamp") != arrivals[0].header("webhook-timestamp"));
    QVERIFY(arrivals[1].header("webhook-signature") != arrivals[0].header("webhook-signature"));
    const QList<NamedSecret> known{{u"KEY"_s, settings.secrets.value(u"KEY"_s)}};
    for (const ReceivedRequest& arrival : arrivals) {
        const SignatureFinding finding =
            checkSignature(arrival.headers, arrival.body, known,
                           arrival.header("webhook-timestamp").toLongLong(), SignatureSearch::Exact);
        QVERIFY2(finding.isGood(), qPrintable(finding.text));
    }
    QCOMPARE(arrivals[1].header("webhook-timestamp").toLongLong(), harness.clock.wallMs() / 1000);
}

void DeliveryLanesTest::crashBeforeTheRequestLeft()
{
    HttpReceiver receiver;
    DeliveryHarness harness;
    harness.maxRetries = 0;
    harness.holdBack = true;
    for (int i = 0; i < 5; ++i) {
        if (i == 0)
            harness.fanOut(fanOutPayload({{u"e"_s, receiver.url()}}));
        harness.crash();
        harness.advance(0);
    }
    harness.holdBack = false;
    harness.crash();
    harness.advance(0);
    QVERIFY(harness.drain());
    QCOMPARE(harness.statusOf(u"e"_s), u"delivered"_s); // no budget was spent
    QCOMPARE(receiver.arrivalCount(), 1);
}

void DeliveryLanesTest::rolledBackTurnChangesNothing()
{
    HttpReceiver receiver;
    DeliveryHarness harness;
    harness.fanOut(fanOutPayload({{u"e"_s, receiver.url()}}));
    QVERIFY(receiver.waitForArrivals(1));
    // The answer is taken by a turn that cannot commit, again and again, and is not lost.
    QTRY_VERIFY(harness.dispatcher().hasWork(harness.clock.wallMs(), harness.clock.steadyMs()));
    for (int i = 0; i < 3; ++i) {
        QVERIFY(!harness.turn({}, true));
        QCOMPARE(harness.statusOf(u"e"_s), u"sending"_s);
        QCOMPARE(harness.dispatcher().inFlight(), 1);
    }
    QVERIFY(harness.turn());
    QCOMPARE(harness.statusOf(u"e"_s), u"delivered"_s);
    QCOMPARE(receiver.arrivalCount(), 1);
    QVERIFY(harness.dispatcher().isIdle());
}

void DeliveryLanesTest::lateOutcomeChangesNothing()
{
    DeliveryHarness harness;
    harness.holdBack = true;
    harness.fanOut(fanOutPayload({{u"e"_s, u"http://127.0.0.1:9/e"_s}}));
    // Another engine believed this one dead and took the delivery over.
    harness.store.execute(u"UPDATE webhook_deliveries SET attempts = 2, instance_no = 99"_s);
    harness.answerHeld(500, u"/e"_s);
    QCOMPARE(harness.statusOf(u"e"_s), u"sending"_s);
    QCOMPARE(harness.number(u"SELECT instance_no FROM webhook_deliveries"_s), 99);
    QVERIFY(harness.dispatcher().isIdle());
}

void DeliveryLanesTest::clockSetBackLosesNothing()
{
    HttpReceiver receiver;
    receiver.answerNext("/hook", ReceiverAnswer::status(500));
    DeliveryHarness harness;
    harness.advance(3'600'000);
    harness.clock.jumpWall(-1'800'000);
    harness.fanOut(fanOutPayload({{u"e"_s, receiver.url()}}));
    QVERIFY(harness.drain());
    harness.advance(10'000);
    QVERIFY(harness.drain());
    QCOMPARE(harness.statusOf(u"e"_s), u"delivered"_s);
}

void DeliveryLanesTest::arrivalsEqualAttempts()
{
    HttpReceiver receiver;
    receiver.answer("/closes", ReceiverAnswer::closeWithoutAnswer());
    receiver.answer("/resets", ReceiverAnswer::resetWithoutAnswer());
    receiver.answer("/cuts", ReceiverAnswer::closeInBody());
    receiver.answer("/bad", ReceiverAnswer::status(500));
    DeliveryHarness harness({}, 32);
    std::vector<std::pair<QString, QString>> endpoints;
    for (const char* path : {"/good", "/closes", "/resets", "/cuts", "/bad"})
        endpoints.emplace_back(QString::fromLatin1(path).mid(1), receiver.url(path));
    const QByteArray payload = fanOutPayload(endpoints);
    for (int i = 0; i < 30; ++i)
        harness.fanOut(payload);
    for (int round = 0; round < 5; ++round) {
        QVERIFY(harness.drain());
        harness.advance(300'000);
    }
    QVERIFY(harness.drain());
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM webhook_deliveries WHERE status = 'delivered'"_s), 30);
    // Five failures open a breaker, and a probe goes out in each round.
    QVERIFY(harness.number(u"SELECT COUNT(*) FROM delivery_attempts"_s) >= 30 + 4 * (5 + 4));
    QCOMPARE(qint64(receiver.arrivalCount()), harness.number(u"SELECT COUNT(*) FROM delivery_attempts"_s));
    QCOMPARE(receiver.arrivalCount("/good"), 30);
}

QTEST_GUILESS_MAIN(DeliveryLanesTest)
#include "delivery_lanes_test.moc"
