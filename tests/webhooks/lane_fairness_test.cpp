// Who goes first: between endpoints, and within one.
#include "tests/webhooks/delivery_harness.h"

#include "core/base/ids.h"
#include "core/webhooks/replay.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;

namespace {

EndpointSettings endpointOf(const QString& id, int maxInFlight)
{
    EndpointSettings endpoint;
    endpoint.id = id;
    endpoint.url = u"http://127.0.0.1:9/"_s + id;
    endpoint.maxInFlight = maxInFlight;
    return endpoint;
}

Settings settingsOf(const QList<EndpointSettings>& endpoints)
{
    Settings settings;
    settings.endpoints = endpoints;
    return settings;
}

QByteArray payloadFor(const QString& endpointId, qsizetype bytes = 0)
{
    return R"({"eventType":"t","eventData":")" + QByteArray(bytes, 'x') + R"(","endpoints":[{"id":")" +
           endpointId.toLatin1() + "\"}]}";
}

void fanOutMany(DeliveryHarness& harness, int events, const QByteArray& payload)
{
    const Status made = harness.turn([&](Cycle& cycle) -> Status {
        for (int i = 0; i < events; ++i)
            harness.runFanOut(cycle, payload, newId(cycle.nowMs));
        return {};
    });
    if (!made)
        QTest::qFail(qPrintable(made.error().text()), __FILE__, __LINE__);
}

// So many of each class are due when an engine starts.
void makeBacklog(DeliveryHarness& harness, int ofEach)
{
    harness.holdBack = true;
    harness.dispatcher().beginStop();
    fanOutMany(harness, 3 * ofEach, payloadFor(u"e"_s));
    harness.store.execute(u"UPDATE webhook_deliveries SET send_class = (SELECT count(*) FROM "
                          "webhook_deliveries o WHERE o.id < webhook_deliveries.id) % 3"_s);
    harness.crash();
    harness.advance(0);
}

QList<int> classesHeldBack(const DeliveryHarness& harness)
{
    QList<int> counts{0, 0, 0};
    for (const HttpRequest& request : harness.heldBack) {
        for (const auto& [name, value] : request.headers) {
            if (name == "webhook-id")
                ++counts[int(
                    harness.number(u"SELECT send_class FROM webhook_deliveries WHERE event_id = '%1'"_s.arg(
                        QString::fromLatin1(value))))];
        }
    }
    return counts;
}

} // namespace

class LaneFairnessTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void noEndpointTakesOverHalf();
    void everyEndpointHasItsTurn();
    void largeBodiesTakeMoreOfATurn();
    void freshBeforeLateBeforeBulk();
    void noClassStarves();
    void whatBecomesLateAndBulk();
};

void LaneFairnessTest::noEndpointTakesOverHalf()
{
    DeliveryHarness harness(settingsOf({endpointOf(u"wide"_s, 1'000), endpointOf(u"other"_s, 1'000)}), 16);
    harness.holdBack = true;
    fanOutMany(harness, 100, payloadFor(u"wide"_s));
    QCOMPARE(harness.heldBackOf(u"/wide"_s), 8); // although nobody else wants the rest
    fanOutMany(harness, 100, payloadFor(u"other"_s));
    QCOMPARE(harness.heldBackOf(u"/other"_s), 8);
    harness.answerHeld(200, u"/wide"_s);
    QCOMPARE(harness.heldBackOf(u"/wide"_s), 8);
}

void LaneFairnessTest::everyEndpointHasItsTurn()
{
    constexpr int kEndpoints = 60;
    DeliveryHarness harness({}, 4);
    harness.holdBack = true;
    std::vector<std::pair<QString, QString>> endpoints;
    for (int i = 0; i < kEndpoints; ++i)
        endpoints.emplace_back(u"e%1"_s.arg(i), u"http://127.0.0.1:9/e%1."_s.arg(i));
    fanOutMany(harness, 3, fanOutPayload(endpoints));
    // After n requests of each, none has had more than one of the next.
    QMap<QString, int> sent;
    int most = 0;
    while (!harness.heldBack.empty()) {
        for (const HttpRequest& request : harness.heldBack)
            most = std::max(most, ++sent[request.url]);
        if (most > 1)
            QCOMPARE(sent.size(), kEndpoints);
        const auto least = *std::min_element(sent.begin(), sent.end());
        QVERIFY2(most - least <= 1, qPrintable(u"%1 and %2"_s.arg(most).arg(least)));
        harness.answerHeld(200);
    }
    QCOMPARE(most, 3);
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM webhook_deliveries WHERE status = 'delivered'"_s),
             3 * kEndpoints);
}

void LaneFairnessTest::largeBodiesTakeMoreOfATurn()
{
    QList<EndpointSettings> endpoints{endpointOf(u"large"_s, 100)};
    for (const char* small : {"a", "b", "c"})
        endpoints.append(endpointOf(QString::fromLatin1(small), 100));
    DeliveryHarness harness(settingsOf(endpoints), 8);
    harness.holdBack = true;
    fanOutMany(harness, 60, payloadFor(u"large"_s, 100'000)); // each counts as four
    for (const char* small : {"a", "b", "c"})
        fanOutMany(harness, 60, payloadFor(QString::fromLatin1(small)));
    QMap<QString, int> sent;
    while (sent.value(u"/c"_s) < 40) {
        QVERIFY(!harness.heldBack.empty());
        for (const char* end : {"/large", "/a", "/b", "/c"})
            sent[QString::fromLatin1(end)] += harness.heldBackOf(QString::fromLatin1(end));
        harness.answerHeld(200);
    }
    const int large = sent.value(u"/large"_s);
    QVERIFY2(large >= 8 && large <= 20, qPrintable(QString::number(large)));
}

void LaneFairnessTest::freshBeforeLateBeforeBulk()
{
    DeliveryHarness harness(settingsOf({endpointOf(u"e"_s, 8)}));
    makeBacklog(harness, 20);
    QCOMPARE(classesHeldBack(harness), (QList<int>{5, 2, 1}));
    QList<int> sum{0, 0, 0};
    bool freshAreDone = false;
    while (!harness.heldBack.empty()) {
        const QList<int> classes = classesHeldBack(harness);
        for (int i = 0; i < 3; ++i)
            sum[i] += classes[i];
        if (sum[0] == 20 && !std::exchange(freshAreDone, true))
            QCOMPARE(sum, (QList<int>{20, 8, 4}));
        harness.answerHeld(200);
    }
    QCOMPARE(sum, (QList<int>{20, 20, 20}));
}

void LaneFairnessTest::noClassStarves()
{
    DeliveryHarness harness(settingsOf({endpointOf(u"e"_s, 1)}));
    makeBacklog(harness, 1);
    QList<int> sum{0, 0, 0};
    for (int i = 0; i < 8; ++i) {
        fanOutMany(harness, 1, payloadFor(u"e"_s)); // there is always a fresh one
        const QList<int> classes = classesHeldBack(harness);
        for (int c = 0; c < 3; ++c)
            sum[c] += classes[c];
        harness.answerHeld(200);
    }
    QCOMPARE(sum, (QList<int>{6, 1, 1}));
}

void LaneFairnessTest::whatBecomesLateAndBulk()
{
    DeliveryHarness harness(settingsOf({endpointOf(u"e"_s, 4)}));
    harness.holdBack = true;
    harness.maxRetries = 0;
    const auto classNow = [&] { return harness.number(u"SELECT send_class FROM webhook_deliveries"_s); };
    const auto replay = [&](SendClass sendClass) {
        return harness.turn([&](Cycle& cycle) -> Status {
            REDRIVE_ASSIGN(refusal, replayDelivery(cycle, harness.idOf(u"e"_s), sendClass));
            return refusal.isEmpty() ? Status() : fail(ErrorKind::Refused, refusal);
        });
    };
    fanOutMany(harness, 1, payloadFor(u"e"_s));
    QCOMPARE(classNow(), int(SendClass::Fresh));
    harness.answerHeld(500);
    QCOMPARE(harness.statusOf(u"e"_s), u"dead"_s);
    QVERIFY(replay(SendClass::Bulk));
    QCOMPARE(classNow(), int(SendClass::Bulk));
    harness.crash(); // interrupted: what it was
    harness.advance(0);
    QCOMPARE(classNow(), int(SendClass::Bulk));
    harness.answerHeld(500);
    QVERIFY(replay(SendClass::Fresh));
    QCOMPARE(classNow(), int(SendClass::Fresh));
    harness.answerHeld(200);

    harness.maxRetries = 3;
    fanOutMany(harness, 1, payloadFor(u"e"_s));
    harness.answerHeld(500);
    QCOMPARE(harness.number(u"SELECT send_class FROM webhook_deliveries WHERE status = 'failed'"_s),
             int(SendClass::Late));
}

QTEST_GUILESS_MAIN(LaneFairnessTest)
#include "lane_fairness_test.moc"
