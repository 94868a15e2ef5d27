#include "tests/webhooks/delivery_harness.h"

#include "core/base/ids.h"
#include "core/webhooks/event_filter.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;

namespace {

Settings registered()
{
    Settings settings;
    EndpointSettings all;
    all.id = u"all"_s;
    all.url = u"http://127.0.0.1:9/all"_s;
    EndpointSettings orders;
    orders.id = u"orders"_s;
    orders.url = u"http://127.0.0.1:9/orders"_s;
    orders.events = QStringList{u"order.*"_s, u"ping"_s};
    orders.scheduleMs = {1'000, 2'000};
    EndpointSettings resting;
    resting.id = u"resting"_s;
    resting.url = u"http://127.0.0.1:9/resting"_s;
    resting.paused = true;
    resting.allowOverride = true;
    settings.endpoints = {all, orders, resting};
    ConsumerSettings jobs;
    jobs.queue = u"jobs"_s;
    jobs.retryDelayMs = 7'000;
    settings.consumers = {jobs};
    return settings;
}

} // namespace

class FanOutTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void filters_data();
    void filters();
    void refuses_data();
    void refuses();
    void bodyIsMadeOfExactSlices_data();
    void bodyIsMadeOfExactSlices();
    void writesOneRowPerEndpoint();
    void emptyListIsDone();
    void withoutAListGoesToWhoeverWantsIt();
    void registryWinsOverThePayload();
    void overrideOnlyWhereAllowed();
    void rerunAddsNothing();
    void rolledBackRunLeavesNothing();
};

void FanOutTest::filters_data()
{
    QTest::addColumn<QStringList>("patterns");
    QTest::addColumn<QString>("type");
    QTest::addColumn<bool>("wanted");
    QTest::newRow("no filter") << QStringList{} << u"a"_s << true;
    QTest::newRow("exact") << QStringList{u"a.b"_s} << u"a.b"_s << true;
    QTest::newRow("not a prefix") << QStringList{u"a.b"_s} << u"a.b.c"_s << false;
    QTest::newRow("prefix") << QStringList{u"a.*"_s} << u"a.b.c"_s << true;
    QTest::newRow("prefix alone") << QStringList{u"a.*"_s} << u"a"_s << false;
    QTest::newRow("longer name") << QStringList{u"a.*"_s} << u"ab.c"_s << false;
    QTest::newRow("any of several") << QStringList{u"x"_s, u"a.*"_s} << u"a.c"_s << true;
    QTest::newRow("star") << QStringList{u"*"_s} << u"a"_s << true;
}

void FanOutTest::filters()
{
    QFETCH(QStringList, patterns);
    QFETCH(QString, type);
    QTEST(wantsEvent(patterns, type), "wanted");
}

void FanOutTest::refuses_data()
{
    QTest::addColumn<QByteArray>("payload");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const QByteArray& payload, const char* words) {
        QTest::newRow(name) << payload << QString::fromUtf8(words);
    };
    const auto endpoint = [](const char* members) {
        return QByteArray(R"({"eventType":"a","endpoints":[{"id":"x","url":"http://127.0.0.1:9/"},{)") +
               members + "}]}";
    };
    row("not JSON", "{\"eventType\":", "JSON error");
    row("a list", "[]", "must be an object");
    row("no type", R"({"eventData":1})", "eventType");
    row("empty type", R"({"eventType":""})", "eventType");
    row("number as type", R"({"eventType":5})", "eventType");
    row("line break in the type", R"({"eventType":"a\nb"})", "eventType");
    row("key twice", R"({"eventType":"a","eventType":"b"})", "twice");
    row("list is none", R"({"eventType":"a","endpoints":{}})", "endpoints: must be a list");
    row("list is null", R"({"eventType":"a","endpoints":null})", "endpoints: must be a list");
    row("endpoint is text", R"({"eventType":"a","endpoints":["x"]})", "endpoints[0] must be an object");
    row("no id", endpoint(R"("url":"http://127.0.0.1:9/")"), "endpoints[1].id");
    row("empty id", endpoint(R"("id":"","url":"http://127.0.0.1:9/")"), "endpoints[1].id");
    row("id twice", endpoint(R"("id":"x","url":"http://127.0.0.1:9/2")"),
        "endpoints[1].id: 'x' stands twice");
    row("no url", endpoint(R"("id":"y")"), "endpoints[1].url");
    row("url is a number", endpoint(R"("id":"y","url":1)"), "endpoints[1].url");
    row("file", endpoint(R"("id":"y","url":"file:///etc/passwd")"), "http and https");
    row("user info", endpoint(R"("id":"y","url":"http://u:p@h/")"), "not allowed in a URL");
    row("line break in a header", endpoint(R"("id":"y","url":"http://h/","headers":{"A":"b\r\nC: d"})"),
        "line break");
    row("reserved header", endpoint(R"("id":"y","url":"http://h/","headers":{"webhook-id":"1"})"),
        "reserved");
    row("framing header", endpoint(R"("id":"y","url":"http://h/","headers":{"Host":"1"})"), "sender itself");
    row("header is a number", endpoint(R"("id":"y","url":"http://h/","headers":{"A":1})"),
        "endpoints[1].headers");
    row("in flight", endpoint(R"("id":"y","url":"http://h/","max_in_flight":0)"), "max_in_flight");
    row("schedule", endpoint(R"("id":"y","url":"http://h/","schedule":[1,-1])"), "schedule");
    row("no such schedule", endpoint(R"("id":"y","url":"http://h/","schedule":"slow")"), "schedule");
    row("paused", endpoint(R"("id":"y","url":"http://h/","paused":"yes")"), "paused");
    row("secret itself", endpoint(R"("id":"y","url":"http://h/","secret":"whsec_AAAA")"),
        "never the secret itself");
    row("other url than registered",
        R"({"eventType":"a","endpoints":[{"id":"all","url":"http://127.0.0.1:9/other"}]})",
        "endpoints[0].url: 'all' is registered with another URL");
}

void FanOutTest::refuses()
{
    QFETCH(QByteArray, payload);
    QFETCH(QString, words);
    DeliveryHarness harness(registered());
    HandlerOutcome outcome;
    QVERIFY(harness.turn([&](Cycle& cycle) -> Status {
        outcome = harness.runFanOut(cycle, payload, newId(cycle.nowMs));
        return {};
    }));
    QCOMPARE(outcome.result, HandlerResult::Permanent);
    QCOMPARE(outcome.reason, u"refused_payload"_s);
    QVERIFY2(outcome.error.contains(words), qPrintable(outcome.error));
    QVERIFY(!outcome.error.contains(u"whsec_AAAA"));
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM webhook_events"_s), 0);
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM webhook_deliveries"_s), 0);
}

void FanOutTest::bodyIsMadeOfExactSlices_data()
{
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QByteArray>("data");
    QTest::newRow("object") << QByteArray(R"("a.b")") << QByteArray(R"({"z":1,"a":2})");
    QTest::newRow("large integers") << QByteArray(R"("a")")
                                    << QByteArray("[9007199254740993,18446744073709551615]");
    QTest::newRow("spelling") << QByteArray(R"("\u0061")") << QByteArray("{ \"a\" : 1.50e+02 }");
    QTest::newRow("emoji") << QByteArray("\"ž\"") << QByteArray("\"\xf0\x9f\x9a\x80\\n\"");
    QTest::newRow("empty") << QByteArray(R"("a")") << QByteArray("{}");
}

void FanOutTest::bodyIsMadeOfExactSlices()
{
    QFETCH(QByteArray, type);
    QFETCH(QByteArray, data);
    DeliveryHarness harness;
    harness.fanOut("{\"eventData\": " + data + " ,\n \"eventType\":" + type + ",\"endpoints\":[]}\n");
    const QByteArray stored = harness.text(u"SELECT body FROM webhook_events"_s).toUtf8();
    QCOMPARE(stored, "{\"event\":" + type + ",\"data\":" + data +
                         ",\"timestamp\":" + QByteArray::number(harness.clock.wallMs()) + "}");
}

void FanOutTest::writesOneRowPerEndpoint()
{
    DeliveryHarness harness(registered());
    harness.holdBack = true;
    harness.maxRetries = 5;
    const QString jobId =
        harness.fanOut(R"({"eventType":"a.b","endpoints":[{"id":"p","url":"http://127.0.0.1:9/p"},)"
                       R"({"id":"q","url":"http://127.0.0.1:9/q","schedule":[1,2,3],"events":"a.*"},)"
                       R"({"id":"standard","url":"http://127.0.0.1:9/n","schedule":"standard"},)"
                       R"({"id":"r","url":"http://127.0.0.1:9/r","paused":true},)"
                       R"({"id":"s","url":"http://127.0.0.1:9/s","events":["b.*"]}]})");
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM webhook_deliveries"_s), 4);
    QCOMPARE(
        harness.number(u"SELECT COUNT(*) FROM webhook_deliveries WHERE job_id = '%1' AND event_type = 'a.b' "
                       "AND event_id = (SELECT id FROM webhook_events)"_s.arg(jobId)),
        4);
    QCOMPARE(harness.number(u"SELECT budget FROM webhook_deliveries WHERE endpoint_id = 'p'"_s), 6);
    QCOMPARE(harness.number(u"SELECT budget FROM webhook_deliveries WHERE endpoint_id = 'q'"_s), 4);
    QCOMPARE(harness.number(u"SELECT budget FROM webhook_deliveries WHERE endpoint_id = 'standard'"_s), 10);
    QCOMPARE(harness.number(u"SELECT retry_base_ms FROM webhook_deliveries WHERE endpoint_id = 'p'"_s),
             7'000);
    QCOMPARE(harness.statusOf(u"r"_s), u"held"_s);
    QCOMPARE(harness.statusOf(u"p"_s), u"sending"_s); // picked in the same turn
    QCOMPARE(harness.heldBack.size(), 3);
    QVERIFY(looksLikeId(harness.text(u"SELECT id FROM webhook_events"_s)));
}

void FanOutTest::emptyListIsDone()
{
    DeliveryHarness harness(registered());
    harness.holdBack = true;
    harness.fanOut(R"({"eventType":"a","endpoints":[]})");
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM webhook_deliveries"_s), 0);
    QVERIFY(harness.heldBack.empty());
}

void FanOutTest::withoutAListGoesToWhoeverWantsIt()
{
    DeliveryHarness harness(registered());
    harness.holdBack = true;
    harness.fanOut(R"({"eventType":"order.paid"})");
    QCOMPARE(harness.text(u"SELECT group_concat(endpoint_id || ' ' || status, ',') FROM "
                          "(SELECT * FROM webhook_deliveries ORDER BY endpoint_id)"_s),
             u"all sending,orders sending,resting held"_s);
    QCOMPARE(harness.number(u"SELECT budget FROM webhook_deliveries WHERE endpoint_id = 'orders'"_s), 3);
    harness.fanOut(R"({"eventType":"other"})");
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM webhook_deliveries"_s), 5);
}

void FanOutTest::registryWinsOverThePayload()
{
    DeliveryHarness harness(registered());
    harness.holdBack = true;
    // The same address in another spelling is no override.
    harness.fanOut(
        R"({"eventType":"ping","endpoints":[{"id":"orders"},{"id":"all","url":"HTTP://127.1:9/all",)"
        R"("schedule":[1]}]})");
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM webhook_deliveries WHERE settings IS NULL"_s), 2);
    QCOMPARE(harness.number(u"SELECT budget FROM webhook_deliveries WHERE endpoint_id = 'all'"_s), 4);
    QCOMPARE(harness.text(u"SELECT url FROM delivery_attempts WHERE url LIKE '%orders'"_s),
             u"http://127.0.0.1:9/orders"_s);
}

void FanOutTest::overrideOnlyWhereAllowed()
{
    Settings settings = registered();
    settings.endpoints[2].paused = false;
    DeliveryHarness harness(settings);
    harness.holdBack = true;
    harness.fanOut(
        R"({"eventType":"a","endpoints":[{"id":"resting","url":"http://127.0.0.1:9/elsewhere"}]})");
    QCOMPARE(harness.text(u"SELECT url FROM delivery_attempts"_s), u"http://127.0.0.1:9/elsewhere"_s);
}

void FanOutTest::rerunAddsNothing()
{
    DeliveryHarness harness;
    harness.holdBack = true;
    const QByteArray payload =
        fanOutPayload({{u"p"_s, u"http://127.0.0.1:9/p"_s}, {u"q"_s, u"http://127.0.0.1:9/q"_s}});
    const QString jobId = harness.fanOut(payload);
    const QString body = harness.text(u"SELECT body FROM webhook_events"_s);
    harness.clock.advance(5'000);
    harness.fanOut(payload, jobId);
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM webhook_events"_s), 1);
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM webhook_deliveries"_s), 2);
    QCOMPARE(harness.text(u"SELECT body FROM webhook_events"_s), body);
    QCOMPARE(harness.heldBack.size(), 2);
}

void FanOutTest::rolledBackRunLeavesNothing()
{
    DeliveryHarness harness;
    harness.holdBack = true;
    const QByteArray payload = fanOutPayload({{u"p"_s, u"http://127.0.0.1:9/p"_s}});
    const QString jobId = newId(harness.clock.wallMs());
    const auto run = [&](Cycle& cycle) -> Status {
        harness.runFanOut(cycle, payload, jobId);
        return {};
    };
    QVERIFY(!harness.turn(run, true));
    QVERIFY(harness.heldBack.empty());
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM delivery_attempts"_s), 0);
    QVERIFY(harness.turn(run));
    QCOMPARE(harness.heldBack.size(), 1);
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM delivery_attempts"_s), 1);
}

QTEST_GUILESS_MAIN(FanOutTest)
#include "fan_out_test.moc"
