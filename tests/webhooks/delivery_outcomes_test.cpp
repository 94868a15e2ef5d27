#include "tests/support/http_receiver.h"
#include "tests/webhooks/delivery_harness.h"

#include "core/net/signer.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;

class DeliveryOutcomesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyFailedEndpointsAreSentToAgain();
    void closingWithoutAnswerIsOneRequestPerAttempt();
    void redirectsAreNotFollowed_data();
    void redirectsAreNotFollowed();
    void dripEndsAtTheDeadline();
    void hugeAnswerCostsSixtyFourKibibytes();
    void bodyAndIdStayTheSame_data();
    void bodyAndIdStayTheSame();
    void signsWithEverySecretAndMasksThem();
    void missingSecretIsAFailedAttempt();
    void refusedTargetIsDeadAtOnce();
    void backoffThenDeadWithALetter();
    void countsMayBeAnything_data();
    void countsMayBeAnything();
    void attemptKeepsEverything();
    void removedEndpointFailsInTheOpen();
};

namespace {

qint64 attempts(const DeliveryHarness& harness, const char* condition)
{
    return harness.number(u"SELECT COUNT(*) FROM delivery_attempts WHERE "_s +
                          QString::fromLatin1(condition));
}

} // namespace

void DeliveryOutcomesTest::onlyFailedEndpointsAreSentToAgain()
{
    HttpReceiver receiver;
    receiver.answer("/bad", ReceiverAnswer::status(500));
    receiver.answer("/hangs", ReceiverAnswer::status(200).hold());
    DeliveryHarness harness;
    harness.requestTimeoutMs = 300;
    harness.maxRetries = 1;
    harness.fanOut(fanOutPayload({{u"good"_s, receiver.url("/good")},
                                  {u"bad"_s, receiver.url("/bad")},
                                  {u"hangs"_s, receiver.url("/hangs")}}));
    QVERIFY(harness.drain());
    QCOMPARE(harness.statusOf(u"good"_s), u"delivered"_s);
    QCOMPARE(harness.statusOf(u"bad"_s), u"failed"_s);
    QCOMPARE(harness.statusOf(u"hangs"_s), u"failed"_s);
    QCOMPARE(
        harness.text(u"SELECT class || ' ' || error_code FROM delivery_attempts WHERE url LIKE '%hangs'"_s),
        u"unknown timeout_total"_s);

    harness.advance(9'999);
    QCOMPARE(attempts(harness, "1"), 3);
    harness.advance(1);
    QCOMPARE(attempts(harness, "1"), 5); // written before they are sent
    QVERIFY(harness.drain());
    QCOMPARE(harness.statusOf(u"bad"_s), u"dead"_s);
    QCOMPARE(harness.statusOf(u"hangs"_s), u"dead"_s);
    harness.advance(86'400'000);
    QCOMPARE(receiver.arrivalCount("/good"), 1);
    QCOMPARE(receiver.arrivalCount("/bad"), 2);
    QCOMPARE(receiver.arrivalCount("/hangs"), 2);
    QCOMPARE(attempts(harness, "1"), 5);
}

void DeliveryOutcomesTest::closingWithoutAnswerIsOneRequestPerAttempt()
{
    HttpReceiver receiver;
    DeliveryHarness harness;
    harness.fanOut(fanOutPayload({{u"e"_s, receiver.url()}})); // opens a connection that is used again
    QVERIFY(harness.drain());
    receiver.answer("/hook", ReceiverAnswer::closeWithoutAnswer());
    harness.fanOut(fanOutPayload({{u"e"_s, receiver.url()}}));
    QVERIFY(harness.drain());
    for (const int wait : {10'000, 20'000, 40'000}) {
        harness.advance(wait);
        QVERIFY(harness.drain());
    }
    QCOMPARE(harness.statusOf(u"e"_s), u"dead"_s);
    QCOMPARE(receiver.arrivalCount(), 5);
    QCOMPARE(attempts(harness, "1"), 5);
    QCOMPARE(attempts(harness, "class = 'unknown' AND error_code = 'closed_without_answer'"), 4);
}

void DeliveryOutcomesTest::redirectsAreNotFollowed_data()
{
    QTest::addColumn<int>("status");
    QTest::newRow("302") << 302;
    QTest::newRow("307") << 307;
}

void DeliveryOutcomesTest::redirectsAreNotFollowed()
{
    QFETCH(int, status);
    HttpReceiver receiver;
    receiver.answer("/hook", ReceiverAnswer::redirect(status, receiver.url("/target").toLatin1()));
    DeliveryHarness harness;
    harness.fanOut(fanOutPayload({{u"e"_s, receiver.url()}}));
    QVERIFY(harness.drain());
    QCOMPARE(harness.statusOf(u"e"_s), u"failed"_s);
    QCOMPARE(receiver.arrivalCount("/target"), 0);
    QCOMPARE(harness.number(u"SELECT status_code FROM delivery_attempts"_s), status);
}

void DeliveryOutcomesTest::dripEndsAtTheDeadline()
{
    HttpReceiver receiver;
    receiver.answer("/hook", ReceiverAnswer::drip(50));
    DeliveryHarness harness;
    harness.requestTimeoutMs = 400;
    harness.fanOut(fanOutPayload({{u"e"_s, receiver.url()}}));
    QVERIFY(harness.drain(5'000));
    QCOMPARE(harness.statusOf(u"e"_s), u"failed"_s);
    QCOMPARE(attempts(harness, "class = 'unknown' AND error_code = 'timeout_total'"), 1);
}

void DeliveryOutcomesTest::hugeAnswerCostsSixtyFourKibibytes()
{
    HttpReceiver receiver;
    receiver.answer("/hook", ReceiverAnswer::hugeBody(50'000'000));
    DeliveryHarness harness;
    harness.fanOut(fanOutPayload({{u"e"_s, receiver.url()}}));
    QVERIFY(harness.drain());
    QCOMPARE(harness.statusOf(u"e"_s), u"delivered"_s);
    QCOMPARE(harness.number(u"SELECT LENGTH(response_body) FROM delivery_attempts"_s), 65'536);
}

void DeliveryOutcomesTest::bodyAndIdStayTheSame_data()
{
    QTest::addColumn<QByteArray>("data");
    QTest::newRow("trailing newline") << QByteArray("{\"a\":1}\n");
    QTest::newRow("not ASCII") << QByteArray("\"žluťoučký\"");
    QTest::newRow("emoji") << QByteArray("[\"\xf0\x9f\x9a\x80\"]");
    QTest::newRow("empty") << QByteArray("{}");
    QTest::newRow("large integer") << QByteArray("9007199254740993");
}

void DeliveryOutcomesTest::bodyAndIdStayTheSame()
{
    QFETCH(QByteArray, data);
    HttpReceiver receiver;
    receiver.answer("/a", ReceiverAnswer::status(500));
    DeliveryHarness harness;
    const QByteArray timestamp = QByteArray::number(harness.clock.wallMs());
    harness.fanOut(R"({"eventType":"t","eventData":)" + data + R"(,"endpoints":[{"id":"a","url":")" +
                   receiver.url("/a").toLatin1() + R"("},{"id":"b","url":")" + receiver.url("/b").toLatin1() +
                   "\"}]}");
    QVERIFY(harness.drain());
    harness.advance(10'000);
    QVERIFY(harness.drain());
    harness.crash();
    harness.advance(20'000);
    QVERIFY(harness.drain());

    const auto arrivals = receiver.arrivals();
    QCOMPARE(arrivals.size(), 4);
    QSet<QByteArray> times;
    for (const ReceivedRequest& request : arrivals) {
        QCOMPARE(request.body,
                 R"({"event":"t","data":)" + data.trimmed() + R"(,"timestamp":)" + timestamp + "}");
        QCOMPARE(QString::fromLatin1(request.header("webhook-id")),
                 harness.text(u"SELECT id FROM webhook_events"_s));
        QCOMPARE(request.header("Content-Type"), "application/json");
        QVERIFY(request.header("User-Agent").startsWith("Redrive/"));
        QCOMPARE(request.headerCount("webhook-signature"), 0);
        times.insert(request.header("webhook-timestamp"));
    }
    QCOMPARE(times.size(), 3); // both endpoints first, then two retries
}

void DeliveryOutcomesTest::signsWithEverySecretAndMasksThem()
{
    HttpReceiver receiver;
    Settings settings;
    EndpointSettings endpoint;
    endpoint.id = u"e"_s;
    endpoint.url = receiver.url();
    endpoint.secrets = QStringList{u"NEW"_s, u"OLD"_s};
    endpoint.headers = {{u"X-Token"_s, u"tok-123456"_s}, {u"User-Agent"_s, u"mine/1"_s}};
    settings.endpoints = {endpoint};
    settings.secrets = {{u"NEW"_s, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"},
                        {u"OLD"_s, "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"}};
    DeliveryHarness harness(settings);
    harness.fanOut(R"({"eventType":"t"})");
    QVERIFY(harness.drain());

    const ReceivedRequest request = receiver.arrivals().front();
    QList<SigningKey> keys;
    for (const QString& name : endpoint.secrets)
        keys.append(parseSigningSecret(settings.secrets.value(name)).value());
    QCOMPARE(
        request.header("webhook-signature"),
        webhookSignature(keys, request.header("webhook-id"), harness.clock.wallMs() / 1000, request.body));
    QCOMPARE(request.header("X-Token"), "tok-123456");
    QCOMPARE(request.headerCount("User-Agent"), 1);
    QCOMPARE(request.header("User-Agent"), "mine/1");

    const QString kept = harness.text(u"SELECT request_headers FROM delivery_attempts"_s);
    QVERIFY2(kept.contains(u"webhook-signature: ***\n") && kept.contains(u"X-Token: ***\n"),
             qPrintable(kept));
    QVERIFY(kept.contains(u"webhook-timestamp: 1900000000\n"));
    QVERIFY(!kept.contains(u"tok-123456") && !kept.contains(u"v1,"));
}

void DeliveryOutcomesTest::missingSecretIsAFailedAttempt()
{
    HttpReceiver receiver;
    DeliveryHarness harness;
    harness.fanOut(R"({"eventType":"t","endpoints":[{"id":"e","secret":"NOT_SET","url":")" +
                   receiver.url().toLatin1() + "\"}]}");
    QVERIFY(harness.drain());
    QCOMPARE(harness.statusOf(u"e"_s), u"failed"_s);
    QCOMPARE(
        attempts(harness, "class = 'not_sent' AND error_code = 'secret_missing' AND error LIKE '%NOT_SET%'"),
        1);
    QCOMPARE(receiver.arrivalCount(), 0);
}

void DeliveryOutcomesTest::refusedTargetIsDeadAtOnce()
{
    HttpReceiver receiver;
    DeliveryHarness harness;
    harness.fanOut(fanOutPayload({{u"private"_s, u"http://10.0.0.7:8443/x"_s}, {u"good"_s, receiver.url()}}));
    QVERIFY(harness.drain());
    QCOMPARE(harness.statusOf(u"good"_s), u"delivered"_s);
    QCOMPARE(harness.statusOf(u"private"_s), u"dead"_s);
    QCOMPARE(harness.text(u"SELECT reason FROM dead_letters"_s), u"target_refused"_s);
    QVERIFY(harness.text(u"SELECT error FROM dead_letters"_s).contains(u"10.0.0.7/32:8443"));
    QCOMPARE(attempts(harness, "error_code = 'blocked' AND class = 'not_sent'"), 1);
}

void DeliveryOutcomesTest::backoffThenDeadWithALetter()
{
    HttpReceiver receiver;
    receiver.answer("/hook", ReceiverAnswer::status(503));
    DeliveryHarness harness;
    harness.random = 1;
    const QString jobId = harness.fanOut(fanOutPayload({{u"e"_s, receiver.url()}}));
    QVERIFY(harness.drain());
    int arrived = 1;
    for (const qint64 wait : {11'000, 22'000, 44'000}) {
        QCOMPARE(harness.number(u"SELECT due_at_ms FROM webhook_deliveries"_s),
                 harness.clock.wallMs() + wait);
        QCOMPARE(*harness.dispatcher().nextDeadline(), harness.clock.steadyMs() + wait);
        harness.advance(wait - 1);
        QCOMPARE(receiver.arrivalCount(), arrived);
        harness.advance(1);
        QVERIFY(harness.drain());
        QCOMPARE(receiver.arrivalCount(), ++arrived);
    }
    QCOMPARE(harness.statusOf(u"e"_s), u"dead"_s);
    QVERIFY(!harness.dispatcher().nextDeadline());
    QCOMPARE(
        harness.text(u"SELECT kind || ' ' || subject_id || ' ' || state || ' ' || type || ' ' || endpoint_id "
                     "|| ' ' || attempts || '/' || max_attempts || ' ' || reason || ' ' || error "
                     "FROM dead_letters"_s),
        u"delivery %1 open a.b e 4/4 retries_used_up HTTP 503"_s.arg(harness.idOf(u"e"_s)));
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM dead_letters"_s), 1);
    QCOMPARE(harness.dispatcher().totals().failed.load(), 4u);
    QCOMPARE(harness.dispatcher().totals().dead.load(), 1u);
    QVERIFY(!jobId.isEmpty());
}

void DeliveryOutcomesTest::countsMayBeAnything_data()
{
    QTest::addColumn<QString>("change");
    QTest::addColumn<QString>("status");
    QTest::newRow("spent less than nothing") << u"spent = -5"_s << u"failed"_s;
    QTest::newRow("spent more than an int") << u"spent = 1099511627776"_s << u"dead"_s;
    QTest::newRow("negative budget") << u"budget = -1"_s << u"dead"_s;
    QTest::newRow("negative attempts") << u"attempts = -5"_s << u"failed"_s;
    QTest::newRow("the largest number of attempts") << u"attempts = 2147483647"_s << u"failed"_s;
    QTest::newRow("no event") << u"event_id = 'none'"_s << u"dead"_s;
    QTest::newRow("no job") << u"job_id = 'none'"_s << u"failed"_s;
}

void DeliveryOutcomesTest::countsMayBeAnything()
{
    QFETCH(QString, change);
    HttpReceiver receiver;
    receiver.answer("/hook", ReceiverAnswer::status(503));
    Settings settings;
    EndpointSettings endpoint;
    endpoint.id = u"e"_s;
    endpoint.url = receiver.url();
    endpoint.scheduleMs = {1'000, 2'000, 3'000};
    settings.endpoints = {endpoint};
    DeliveryHarness harness(settings);
    harness.fanOut(fanOutPayload({{u"e"_s, receiver.url()}}));
    QVERIFY(harness.drain());
    harness.store.execute(u"DELETE FROM delivery_attempts"_s);
    harness.store.execute(u"UPDATE webhook_deliveries SET "_s + change);
    harness.dispatcher().lookAgain();
    harness.advance(10'000);
    QVERIFY(harness.drain());
    QTEST(harness.statusOf(u"e"_s), "status");
    QCOMPARE(harness.number(u"SELECT count(*) FROM delivery_attempts WHERE attempt <= 0"_s), 0);
}

void DeliveryOutcomesTest::attemptKeepsEverything()
{
    HttpReceiver receiver;
    receiver.answer("/hook", ReceiverAnswer::status(418, "tea\xff", {{"X-Kind", "pot"}}));
    DeliveryHarness harness;
    harness.fanOut(fanOutPayload({{u"e"_s, receiver.url()}}));
    QVERIFY(harness.drain());
    QCOMPARE(
        attempts(harness,
                 "attempt = 1 AND kind = 'scheduled' AND replay_of IS NULL AND outcome = 'failed' AND "
                 "class = 'answered' AND status_code = 418 AND error = 'HTTP 418' AND error_code IS NULL AND "
                 "response_body = x'746561ff' AND response_headers LIKE '%X-Kind: pot%' AND "
                 "total_us > 0 AND started_at_ms = 1900000000000 AND finished_at_ms = 1900000000000 AND "
                 "next_at_ms = 1900000010000 AND next_reason = '10 s step after failure 1 of 4'"),
        1);
    QCOMPARE(harness.text(u"SELECT url FROM delivery_attempts"_s), receiver.url());
    QCOMPARE(harness.text(u"SELECT peer FROM delivery_attempts"_s), u"127.0.0.1:%1"_s.arg(receiver.port()));
    QCOMPARE(harness.text(u"SELECT error FROM webhook_deliveries"_s), u"HTTP 418"_s);
}

void DeliveryOutcomesTest::removedEndpointFailsInTheOpen()
{
    DeliveryHarness harness;
    harness.holdBack = true;
    harness.fanOut(fanOutPayload({{u"e"_s, u"http://127.0.0.1:9/"_s}}));
    harness.store.execute(u"UPDATE webhook_deliveries SET settings = NULL"_s); // made for a registered one
    harness.crash();
    QVERIFY(harness.turn()); // the first only learns of the endpoints
    QVERIFY(harness.drain());
    QCOMPARE(harness.statusOf(u"e"_s), u"failed"_s);
    QCOMPARE(attempts(harness, "error_code = 'endpoint_unknown'"), 1);
    QVERIFY(harness.heldBack.empty());
}

QTEST_GUILESS_MAIN(DeliveryOutcomesTest)
#include "delivery_outcomes_test.moc"
