#include "tests/support/http_receiver.h"
#include "tests/webhooks/delivery_harness.h"

#include "core/base/log.h"
#include "core/webhooks/replay.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace redrive;
using namespace redrive::test;

class EndpointHoldsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void retryAfterPausesTheWholeEndpoint();
    void unreadableRetryAfterIsIgnoredAndLogged_data();
    void unreadableRetryAfterIsIgnoredAndLogged();
    void pauseSurvivesACrash();
    void goneHoldsTheOthersUntilAReplaySucceeds();
    void pausedEndpointIsHeldAndDrainsOnceResumed();
    void heldBackoffKeepsItsDueTime();
};

void EndpointHoldsTest::retryAfterPausesTheWholeEndpoint()
{
    HttpReceiver receiver;
    receiver.answerNext("/hook", ReceiverAnswer::retryAfter(429, " 120 "));
    DeliveryHarness harness;
    harness.fanOut(fanOutPayload({{u"e"_s, receiver.url()}, {u"other"_s, receiver.url("/other")}}));
    QVERIFY(harness.drain());
    QCOMPARE(harness.text(u"SELECT reason FROM webhook_deliveries WHERE endpoint_id = 'e'"_s),
             u"retry_after"_s);

    harness.fanOut(fanOutPayload({{u"e"_s, receiver.url()}, {u"other"_s, receiver.url("/other")}}));
    QVERIFY(harness.drain());
    QCOMPARE(receiver.arrivalCount("/hook"), 1); // the new event waits as well
    QCOMPARE(receiver.arrivalCount("/other"), 2);
    QCOMPARE(*harness.dispatcher().nextDeadline(), harness.clock.steadyMs() + 120'000);
    harness.advance(119'999);
    QCOMPARE(harness.dispatcher().inFlight(), 0);
    harness.advance(1);
    QVERIFY(harness.drain());
    QCOMPARE(receiver.arrivalCount("/hook"), 3);
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM webhook_deliveries WHERE status = 'delivered'"_s), 4);
}

void EndpointHoldsTest::unreadableRetryAfterIsIgnoredAndLogged_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<bool>("ignored");
    QTest::newRow("a word") << QByteArray("abc") << true;
    QTest::newRow("negative") << QByteArray("-5") << true;
    QTest::newRow("seconds") << QByteArray("120") << false;
}

void EndpointHoldsTest::unreadableRetryAfterIsIgnoredAndLogged()
{
    QFETCH(QByteArray, value);
    QFETCH(bool, ignored);
    const QTemporaryDir folder;
    HttpReceiver receiver;
    receiver.answerNext("/hook", ReceiverAnswer::retryAfter(503, value));
    DeliveryHarness harness;
    QVERIFY(setLogFile(folder.filePath(u"log"_s)));
    harness.fanOut(fanOutPayload({{u"e"_s, receiver.url()}}));
    const bool drained = harness.drain();
    setLogFile({});
    QVERIFY(drained);
    QCOMPARE(harness.text(u"SELECT reason FROM webhook_deliveries"_s),
             ignored ? u"retry"_s : u"retry_after"_s);
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM webhook_endpoints WHERE paused_until_ms IS NOT NULL"_s),
             ignored ? 0 : 1);

    QFile log(folder.filePath(u"log"_s));
    QVERIFY(log.open(QIODevice::ReadOnly));
    QList<QJsonObject> entries;
    for (const QByteArray& line : log.readAll().split('\n'))
        if (line.contains("\"retry_after_ignored\""))
            entries.append(QJsonDocument::fromJson(line).object());
    QCOMPARE(entries.size(), ignored ? 1 : 0);
    if (ignored) {
        QCOMPARE(entries[0][u"endpoint"_s].toString(), u"e"_s);
        QCOMPARE(entries[0][u"value"_s].toString(), QString::fromLatin1(value));
    }
}

void EndpointHoldsTest::pauseSurvivesACrash()
{
    HttpReceiver receiver;
    receiver.answerNext("/hook", ReceiverAnswer::retryAfter(503, "60"));
    DeliveryHarness harness;
    harness.fanOut(fanOutPayload({{u"e"_s, receiver.url()}}));
    QVERIFY(harness.drain());
    harness.crash();
    harness.fanOut(fanOutPayload({{u"e"_s, receiver.url()}}));
    harness.advance(59'000);
    QCOMPARE(harness.dispatcher().inFlight(), 0);
    harness.advance(1'000);
    QVERIFY(harness.drain());
    QCOMPARE(receiver.arrivalCount(), 3);
}

void EndpointHoldsTest::goneHoldsTheOthersUntilAReplaySucceeds()
{
    HttpReceiver receiver;
    receiver.answer("/hook", ReceiverAnswer::status(500));
    DeliveryHarness harness;
    harness.fanOut(fanOutPayload({{u"e"_s, receiver.url()}}));
    QVERIFY(harness.drain());
    receiver.answer("/hook", ReceiverAnswer::status(410));
    harness.fanOut(fanOutPayload({{u"e"_s, receiver.url()}}));
    const QString gone = harness.idOf(u"e"_s);
    QVERIFY(harness.drain());
    QCOMPARE(
        harness.text(u"SELECT status || ' ' || reason FROM webhook_deliveries WHERE id = '%1'"_s.arg(gone)),
        u"dead gone"_s);
    // Told of outside its own deliveries.
    QCOMPARE(harness.text(u"SELECT subject FROM alert_notes WHERE kind = 'endpoint_disabled'"_s), u"e"_s);
    harness.fanOut(fanOutPayload({{u"e"_s, receiver.url()}}));
    harness.crash(); // the state is in the store
    harness.advance(86'400'000);
    QCOMPARE(
        harness.number(u"SELECT COUNT(*) FROM webhook_deliveries WHERE status = 'held' AND due_at_ms IS NULL "
                       "AND reason = 'endpoint_disabled'"_s),
        2);
    QCOMPARE(receiver.arrivalCount(), 2);

    receiver.answer("/hook", ReceiverAnswer::status(200));
    QVERIFY(harness.turn([&](Cycle& cycle) -> Status {
        REDRIVE_ASSIGN(refusal, replayDelivery(cycle, gone));
        return refusal.isEmpty() ? Status() : fail(ErrorKind::Refused, refusal);
    }));
    harness.advance(0);
    QVERIFY(harness.drain());
    harness.advance(0);
    QVERIFY(harness.drain());
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM webhook_deliveries WHERE status = 'delivered'"_s), 3);
    QCOMPARE(receiver.arrivalCount(), 5);
    QCOMPARE(harness.number(u"SELECT MAX(spent) FROM webhook_deliveries"_s), 2); // held time cost nothing
}

void EndpointHoldsTest::pausedEndpointIsHeldAndDrainsOnceResumed()
{
    HttpReceiver receiver;
    Settings settings;
    EndpointSettings endpoint;
    endpoint.id = u"e"_s;
    endpoint.url = receiver.url();
    endpoint.paused = true;
    settings.endpoints = {endpoint};
    DeliveryHarness harness(settings);
    harness.fanOut(R"({"eventType":"t"})");
    harness.fanOut(R"({"eventType":"t","endpoints":[{"id":"p","paused":true,"url":")" +
                   receiver.url().toLatin1() + "\"}]}");
    harness.advance(60'000);
    QCOMPARE(harness.statusOf(u"e"_s), u"held"_s);

    settings.endpoints[0].paused = false;
    harness.restart(settings);
    harness.advance(0);
    QVERIFY(harness.drain());
    QCOMPARE(harness.statusOf(u"e"_s), u"delivered"_s);
    QCOMPARE(harness.statusOf(u"p"_s), u"held"_s); // its own payload paused it
    QCOMPARE(receiver.arrivalCount(), 1);
}

void EndpointHoldsTest::heldBackoffKeepsItsDueTime()
{
    HttpReceiver receiver;
    receiver.answerNext("/hook", ReceiverAnswer::status(500));
    Settings settings;
    EndpointSettings endpoint;
    endpoint.id = u"e"_s;
    endpoint.url = receiver.url();
    settings.endpoints = {endpoint};
    DeliveryHarness harness(settings);
    harness.fanOut(R"({"eventType":"t"})");
    QVERIFY(harness.drain());

    settings.endpoints[0].paused = true;
    harness.restart(settings);
    harness.advance(10'000);
    QCOMPARE(harness.statusOf(u"e"_s), u"held"_s);
    harness.clock.jumpWall(-5'000);
    settings.endpoints[0].paused = false;
    harness.restart(settings);
    harness.advance(4'999);
    QCOMPARE(receiver.arrivalCount(), 1);
    QCOMPARE(harness.statusOf(u"e"_s), u"failed"_s);
    harness.advance(1);
    QVERIFY(harness.drain());
    QCOMPARE(harness.statusOf(u"e"_s), u"delivered"_s);
}

QTEST_GUILESS_MAIN(EndpointHoldsTest)
#include "endpoint_holds_test.moc"
