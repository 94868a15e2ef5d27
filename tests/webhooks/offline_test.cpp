// A machine without a network, and one that has it back.
#include "core/webhooks/offline_watch.h"
#include "tests/webhooks/delivery_harness.h"

#include "core/base/ids.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;

namespace {

HttpOutcome ended(const char* code, HttpOutcome::Class outcomeClass = HttpOutcome::Class::NotSent)
{
    HttpOutcome outcome;
    outcome.outcome = outcomeClass;
    outcome.errorCode = QString::fromLatin1(code);
    outcome.errorText = u"words"_s;
    return outcome;
}

QByteArray payloadOf(const QStringList& names)
{
    std::vector<std::pair<QString, QString>> endpoints;
    for (const QString& name : names)
        endpoints.emplace_back(name, u"http://%1.example/%1"_s.arg(name));
    return fanOutPayload(endpoints);
}

OfflineWatch::Miss miss(const char* host, qint64 atMs, qint64 rowKey = 1)
{
    return {rowKey, 1, QString::fromLatin1(host), atMs};
}

} // namespace

class OfflineTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsOffline();
    void looksAgainLaterAndLater();
    void waitsWithoutCostAndGoesOn();
    void oneBadNameIsNotOffline();
    void loopbackGoesOn();
    void aWrongNameDoesNotKeepItOffline();
    void survivesATurnThatFails();
};

void OfflineTest::whatIsOffline()
{
    const auto at = [](qint64 ms) { return Moment{1'900'000'000'000 + ms, ms}; };
    OfflineWatch one;
    for (int i = 0; i < 50; ++i)
        QVERIFY(!one.missed(miss("a", i * 100), false, at(i * 100)));

    OfflineWatch cutOff; // the machine itself has no network
    QVERIFY(cutOff.missed(miss("a", 0), false, at(0), true));
    QCOMPARE(cutOff.misses().size(), size_t(1));

    OfflineWatch two; // nobody else was ever tried
    QVERIFY(!two.missed(miss("a", 0), false, at(0)));
    QVERIFY(!two.missed(miss("b", 1), false, at(1)));
    QVERIFY(two.missed(miss("a", 2), false, at(2)));
    QCOMPARE(two.sinceMs(), std::optional<qint64>(1'900'000'000'002));

    OfflineWatch three; // a third host worked a while ago
    QVERIFY(!three.reached(u"c"_s, at(0)));
    for (int i = 1; i < 10; ++i)
        QVERIFY(!three.missed(miss(i % 2 ? "a" : "b", i), false, at(i)));
    QVERIFY(three.missed(miss("c", 10), false, at(10)));

    OfflineWatch reached; // something answers in between
    for (int i = 0; i < 30; ++i) {
        QVERIFY(!reached.missed(miss("a", i), false, at(i)));
        QVERIFY(!reached.missed(miss("b", i), false, at(i)));
        QVERIFY(!reached.reached(u"c"_s, at(i)));
    }

    OfflineWatch slow; // further apart than the window
    for (qint64 i = 0; i < 30; ++i)
        QVERIFY(!slow.missed(miss(i % 2 ? "a" : "b", i * 40'000), false, at(i * 40'000)));
}

void OfflineTest::looksAgainLaterAndLater()
{
    OfflineWatch watch;
    Moment now{1'900'000'000'000, 0};
    watch.missed(miss("a", 0), false, now);
    watch.missed(miss("b", 0), false, now);
    QVERIFY(watch.missed(miss("a", 0), false, now));
    for (const qint64 seconds : {5, 10, 20, 40, 60, 60}) {
        QCOMPARE(watch.nextProbeMs(), std::optional(now.steadyMs + seconds * 1'000));
        now.steadyMs = *watch.nextProbeMs();
        watch.beginProbe(u"e"_s);
        QCOMPARE(watch.nextProbeMs(), std::nullopt);
        watch.missed(miss("b", 0), false, now); // what was still under way
        QCOMPARE(watch.nextProbeMs(), std::nullopt);
        watch.missed(miss("a", 0), true, now);
    }
    QVERIFY(watch.reached(u"a"_s, now));
    QVERIFY(!watch.isOffline());
    QVERIFY(!watch.missed(miss("a", 0), false, now));
}

void OfflineTest::waitsWithoutCostAndGoesOn()
{
    DeliveryHarness harness;
    harness.holdBack = true;
    harness.maxRetries = 1;
    const QStringList names{u"a"_s, u"b"_s, u"c"_s};
    for (int i = 0; i < 10; ++i)
        harness.fanOut(payloadOf(names));
    QCOMPARE(harness.heldBack.size(), 12);
    harness.endHeld(ended("dns_failed"), u"/a"_s); // four times: suspicious
    harness.endHeld(ended("unreachable"), u"/b"_s);
    harness.endHeld(ended("dns_failed"), u"/c"_s);
    harness.endHeld(ended("dns_failed"));
    QCOMPARE(harness.heldBack.size(), 0);
    QCOMPARE(harness.dispatcher().totals().offlineSinceMs.load(), harness.clock.wallMs());
    QCOMPARE(harness.number(u"SELECT SUM(spent) FROM webhook_deliveries"_s), 0);
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM webhook_deliveries WHERE due_at_ms IS NULL"_s), 0);
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM endpoint_breakers"_s), 0);

    qint64 attempts = harness.number(u"SELECT COUNT(*) FROM delivery_attempts"_s);
    harness.fanOut(payloadOf(names)); // waits too
    QSet<QString> probed;
    for (const int seconds : {5, 10, 20, 40, 60, 60}) {
        QCOMPARE(harness.heldBack.size(), 0);
        QCOMPARE(*harness.dispatcher().nextDeadline() - harness.clock.steadyMs(), seconds * 1'000);
        harness.advance(seconds * 1'000 - 1);
        QCOMPARE(harness.heldBack.size(), 0);
        harness.advance(1);
        QCOMPARE(harness.heldBack.size(), 1);
        harness.advance(3'000);
        QCOMPARE(harness.heldBack.size(), 1);
        QCOMPARE(harness.number(u"SELECT COUNT(*) FROM delivery_attempts"_s), ++attempts);
        probed.insert(harness.heldBack.front().url);
        harness.endHeld(ended("unreachable"));
    }
    QVERIFY(probed.size() >= 2);
    QCOMPARE(harness.number(u"SELECT SUM(spent) FROM webhook_deliveries"_s), 0);
    QCOMPARE(
        harness.number(u"SELECT COUNT(*) FROM webhook_deliveries WHERE status IN ('dead', 'delivered')"_s),
        0);

    harness.advance(60'000);
    harness.answerHeld(500); // whatever it says: it says something
    QCOMPARE(harness.dispatcher().totals().offlineSinceMs.load(), 0);
    QCOMPARE(harness.heldBack.size(), 12);
    while (!harness.heldBack.empty())
        harness.answerHeld(200);
    harness.advance(10'000);
    harness.answerHeld(200);
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM webhook_deliveries WHERE status = 'delivered'"_s), 33);
    QCOMPARE(harness.number(u"SELECT MAX(spent) FROM webhook_deliveries"_s), 2);
}

void OfflineTest::oneBadNameIsNotOffline()
{
    DeliveryHarness harness;
    harness.holdBack = true;
    for (int i = 0; i < 10; ++i)
        harness.fanOut(payloadOf({u"bad"_s}));
    harness.endHeld(ended("dns_failed"));
    harness.endHeld(ended("dns_failed"));
    QCOMPARE(harness.dispatcher().totals().offlineSinceMs.load(), 0);
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM webhook_deliveries WHERE spent = 1"_s), 8);
    QCOMPARE(harness.text(u"SELECT endpoint_id FROM endpoint_breakers"_s), u"bad"_s); // its own matter
}

void OfflineTest::loopbackGoesOn()
{
    DeliveryHarness harness;
    harness.holdBack = true;
    harness.fanOut(payloadOf({u"a"_s, u"b"_s, u"c"_s}));
    harness.endHeld(ended("dns_failed"));
    QVERIFY(harness.dispatcher().totals().offlineSinceMs.load() > 0);
    harness.fanOut(
        fanOutPayload({{u"near"_s, u"http://127.0.0.1:9/near"_s}, {u"a"_s, u"http://a.example/a"_s}}));
    QCOMPARE(harness.heldBack.size(), 1);
    harness.answerHeld(200, u"/near"_s);
    QCOMPARE(harness.statusOf(u"near"_s), u"delivered"_s);
    QVERIFY(harness.dispatcher().totals().offlineSinceMs.load() > 0); // which proves nothing
    // A broken one of this machine is not the network's fault.
    harness.fanOut(fanOutPayload({{u"near"_s, u"http://127.0.0.1:9/near"_s}}));
    harness.endHeld(ended("unreachable"), u"/near"_s);
    QCOMPARE(harness.number(u"SELECT spent FROM webhook_deliveries WHERE endpoint_id = 'near' AND "
                            "status = 'failed'"_s),
             1);
}

void OfflineTest::aWrongNameDoesNotKeepItOffline()
{
    DeliveryHarness harness;
    harness.holdBack = true;
    harness.maxRetries = 100;
    harness.fanOut(payloadOf({u"wrong"_s, u"b"_s, u"c"_s}));
    harness.endHeld(ended("dns_failed"));
    int probes = 0;
    while (harness.dispatcher().totals().offlineSinceMs.load() > 0) {
        QVERIFY(++probes < 4);
        harness.advance(60'000);
        harness.endHeld(ended("dns_failed"), u"/wrong"_s);
        harness.answerHeld(200);
    }
    harness.advance(0);
    harness.answerHeld(200, u"/b"_s);
    harness.answerHeld(200, u"/c"_s);
    QCOMPARE(harness.statusOf(u"b"_s), u"delivered"_s);
    QCOMPARE(harness.statusOf(u"c"_s), u"delivered"_s);
}

void OfflineTest::survivesATurnThatFails()
{
    DeliveryHarness harness;
    harness.holdBack = true;
    harness.fanOut(payloadOf({u"a"_s, u"b"_s, u"c"_s}));
    std::vector<HttpOutcome> outcomes;
    for (const HttpRequest& request : harness.heldBack) {
        outcomes.push_back(ended("dns_failed"));
        outcomes.back().token = request.token;
    }
    harness.heldBack.clear();
    harness.dispatcher().take(std::move(outcomes));
    QVERIFY(!harness.turn({}, true));
    QCOMPARE(harness.dispatcher().totals().offlineSinceMs.load(), 0);
    harness.advance(0);
    QVERIFY(harness.dispatcher().totals().offlineSinceMs.load() > 0);
    QCOMPARE(harness.number(u"SELECT SUM(spent) FROM webhook_deliveries"_s), 0);
}

QTEST_GUILESS_MAIN(OfflineTest)
#include "offline_test.moc"
