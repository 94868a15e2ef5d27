// Endpoints at their worst, beside healthy ones: each attempt is recorded as it was, nothing is sent that is
// not recorded, nobody else waits, memory stays bounded.
#include "tests/support/process_memory.h"
#include "tests/webhooks/delivery_harness.h"
#include "tests/webhooks/endpoint_faults.h"

#include "core/base/ids.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <limits>

using namespace redrive;
using namespace redrive::test;

namespace {

constexpr int kAttempts = 4;
constexpr double kMoreMib = 20;
constexpr qint64 kSlackUs = 10'000; // what two rounds alone differ by on a busy machine

qint64 percentile99(const DeliveryHarness& harness, qint64 fromMs)
{
    const qint64 count = harness.number(
        u"SELECT COUNT(*) FROM delivery_attempts WHERE url LIKE '%/healthy%' AND started_at_ms >= %1"_s.arg(
            fromMs));
    return harness.number(u"SELECT total_us FROM delivery_attempts WHERE url LIKE '%/healthy%' AND "
                          "started_at_ms >= %1 ORDER BY total_us LIMIT 1 OFFSET %2"_s.arg(fromMs)
                              .arg(count * 99 / 100));
}

// Rounds of events for healthy endpoints with a receiver of their own, one event after the other, alone or
// with a delivery to one of the faults before every sixth.
class Rounds final
{
public:
    explicit Rounds(const Faults& faults) : m_faults(faults)
    {
        m_harness.maxRetries = 0;
        m_harness.requestTimeoutMs = 1'000;
        for (int i = 0; i < 5; ++i)
            m_healthy.emplace_back(u"healthy%1"_s.arg(i), m_receiver.url("/" + QByteArray::number(i)));
    }

    // Of one more round: from an event's fan-out until it is recorded that all have it.
    qint64 percentile99Us(bool beside)
    {
        constexpr int kEventsAFault = 6;
        const int events = int(m_faults.faults.size()) * kEventsAFault;
        std::vector<qint64> tookUs;
        for (int i = 0; i < events; ++i) {
            if (beside && i % kEventsAFault == 0)
                attempt(m_faults.faults[size_t(i / kEventsAFault)]);
            QElapsedTimer timer;
            timer.start();
            const QString job = m_harness.fanOut(fanOutPayload(m_healthy));
            while (delivered(job) < qint64(m_healthy.size()))
                if (!m_harness.recordNext())
                    QTest::qFail("no answer came", __FILE__, __LINE__);
            tookUs.push_back(timer.nsecsElapsed() / 1'000);
        }
        if (!m_harness.drain())
            QTest::qFail("no answer came", __FILE__, __LINE__);
        std::sort(tookUs.begin(), tookUs.end());
        return tookUs[tookUs.size() * 99 / 100 - 1];
    }

private:
    // Under another id each time, so that no breaker keeps it from being tried.
    void attempt(const Fault& fault)
    {
        m_harness.fanOut(fanOutPayload({{u"%1-%2"_s.arg(fault.id).arg(++m_attempts), fault.url}}));
    }

    qint64 delivered(const QString& job) const
    {
        return m_harness.number(u"SELECT count(*) FROM webhook_deliveries WHERE status = 'delivered' AND "
                                "event_id IS NOT NULL AND event_id = "
                                "(SELECT id FROM webhook_events WHERE job_id = '%1')"_s.arg(job));
    }

    const Faults& m_faults;
    HttpReceiver m_receiver;
    DeliveryHarness m_harness;
    std::vector<std::pair<QString, QString>> m_healthy;
    int m_attempts = 0;
};

} // namespace

class EndpointFaultsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyFaultIsRecordedAndHurtsNobody();
    void faultsDoNotSlowHealthyOnes();
    void aHangingEndpointDelaysNoOther();
    void tenThousandEndpointsKeepOneBody();
};

void EndpointFaultsTest::everyFaultIsRecordedAndHurtsNobody()
{
    constexpr int kHealthyRounds = 40;
    Faults at;
    DeliveryHarness harness;
    harness.maxRetries = kAttempts - 1;
    harness.requestTimeoutMs = 3'000; // TLS on a busy machine takes its time
    std::vector<std::pair<QString, QString>> healthy;
    for (int i = 0; i < 5; ++i)
        healthy.emplace_back(u"healthy%1"_s.arg(i), at.receiver.url("/healthy" + QByteArray::number(i)));
    const auto runHealthy = [&] {
        for (int i = 0; i < kHealthyRounds; ++i)
            harness.fanOut(fanOutPayload(healthy));
        return harness.drain();
    };
    QVERIFY(runHealthy());
    const qint64 aloneUs = percentile99(harness, 0);
    const double beforeMib = residentMib();
    double mostMib = beforeMib;

    harness.clock.advance(1'000);
    const qint64 besideFromMs = harness.clock.wallMs();
    std::vector<std::pair<QString, QString>> bad;
    for (const Fault& fault : at.faults)
        bad.emplace_back(fault.id, fault.url);
    harness.fanOut(fanOutPayload(bad));
    for (int attempt = 1; attempt <= kAttempts; ++attempt) {
        QVERIFY(runHealthy());
        mostMib = std::max(mostMib, residentMib());
        harness.advance(300'000);
    }
    QVERIFY(harness.drain());

    for (const Fault& fault : at.faults) {
        const bool blocked = fault.record.contains(u"blocked"_s);
        const bool answered2xx = fault.record == u"answered - 200";
        const int attempts = blocked || answered2xx ? 1 : kAttempts;
        const QString records = harness.text(
            u"SELECT group_concat(DISTINCT a.class || ' ' || COALESCE(a.error_code, '-') || ' ' || "
            "COALESCE(a.status_code, 0)) FROM delivery_attempts a JOIN webhook_deliveries d ON "
            "d.id = a.delivery_id WHERE d.endpoint_id = '%1'"_s.arg(fault.id));
        QVERIFY2(records == fault.record, qPrintable(fault.id + u": "_s + records));
        QCOMPARE(
            harness.number(
                u"SELECT COUNT(*) FROM delivery_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id "
                "WHERE d.endpoint_id = '%1'"_s.arg(fault.id)),
            attempts);
        QCOMPARE(harness.statusOf(fault.id), answered2xx ? u"delivered"_s : u"dead"_s);
        const QByteArray path = "/" + fault.id.toLatin1();
        QVERIFY2(at.receiver.arrivalCount(path) == (fault.arrives ? attempts : 0), path.constData());
    }
    QCOMPARE(at.untrusted.arrivalCount() + at.expired.arrivalCount(), 0);
    QCOMPARE(at.garbage.connections(), kAttempts);
    QCOMPARE(harness.number(u"SELECT MAX(LENGTH(response_body)) FROM delivery_attempts"_s), 65'536);
    QVERIFY(harness.number(u"SELECT MAX(LENGTH(response_headers)) FROM delivery_attempts"_s) <= 65'536);
    // Everything that arrived anywhere is recorded, and the other way round.
    QCOMPARE(qint64(at.receiver.arrivalCount()),
             harness.number(u"SELECT COUNT(*) FROM delivery_attempts WHERE class <> 'not_sent'"_s));

    QCOMPARE(at.receiver.arrivalCount("/healthy3"), (kAttempts + 1) * kHealthyRounds);
    const qint64 besideUs = percentile99(harness, besideFromMs);
    QVERIFY2(besideUs <= aloneUs * 11 / 10 + 100'000,
             qPrintable(u"p99 of the healthy ones: %1 us alone, %2 us beside"_s.arg(aloneUs).arg(besideUs)));
    if (memoryCanBeMeasured())
        QVERIFY2(mostMib - beforeMib <= kMoreMib,
                 qPrintable(u"%1 MiB before, %2 MiB at most"_s.arg(beforeMib).arg(mostMib)));
}

// Against themselves, in turns, by the best round of each kind: what else the machine does slows both, and
// not every round, while what a fault does to others it does in each.
void EndpointFaultsTest::faultsDoNotSlowHealthyOnes()
{
    constexpr int kLeastPairs = 3;
    constexpr int kMostPairs = 12;
    const Faults faults;
    Rounds rounds(faults);
    qint64 aloneUs = std::numeric_limits<qint64>::max();
    qint64 besideUs = aloneUs;
    bool slowed = true;
    int pairs = 0;
    while (pairs < kLeastPairs || (slowed && pairs < kMostPairs)) {
        aloneUs = std::min(aloneUs, rounds.percentile99Us(false));
        besideUs = std::min(besideUs, rounds.percentile99Us(true));
        slowed = besideUs > aloneUs * 11 / 10 + kSlackUs;
        ++pairs;
    }
    const QString figures =
        u"p99 of the best round, of %1 each: %2 us alone, %3 us beside"_s.arg(pairs).arg(aloneUs).arg(
            besideUs);
    qInfo("%s", qPrintable(figures));
    QVERIFY2(!slowed, qPrintable(figures));
}

void EndpointFaultsTest::aHangingEndpointDelaysNoOther()
{
    HttpReceiver receiver;
    receiver.answer("/hangs", ReceiverAnswer::status(200).hold());
    DeliveryHarness harness;
    const QByteArray hanging = fanOutPayload({{u"hangs"_s, receiver.url("/hangs")}});
    QVERIFY(harness.turn([&](Cycle& cycle) -> Status {
        for (int i = 0; i < 1'000; ++i)
            harness.runFanOut(cycle, hanging, newId(cycle.nowMs));
        return {};
    }));
    QVERIFY(receiver.waitForArrivals(4, "/hangs"));
    for (int i = 1; i <= 20; ++i) {
        QElapsedTimer timer;
        timer.start();
        harness.fanOut(fanOutPayload({{u"quick"_s, receiver.url("/quick")}}));
        QVERIFY(receiver.waitForArrivals(i, "/quick"));
        QVERIFY2(timer.elapsed() < 1'000, qPrintable(QString::number(timer.elapsed())));
        while (harness.number(u"SELECT COUNT(*) FROM webhook_deliveries WHERE status = 'delivered'"_s) < i)
            QVERIFY(harness.recordNext());
    }
    QCOMPARE(receiver.arrivalCount("/hangs"), 4);
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM webhook_deliveries WHERE status = 'pending'"_s), 996);
}

void EndpointFaultsTest::tenThousandEndpointsKeepOneBody()
{
    constexpr int kEndpoints = 10'000;
    constexpr double kMostMib = 60;
    Settings settings;
    for (int i = 0; i < kEndpoints; ++i) {
        EndpointSettings endpoint;
        endpoint.id = u"endpoint-%1"_s.arg(i);
        endpoint.url = u"http://127.0.0.1:9/%1"_s.arg(i);
        settings.endpoints.append(endpoint);
    }
    DeliveryHarness harness(settings);
    harness.holdBack = true;
    const double beforeMib = residentMib();
    harness.fanOut(R"({"eventType":"t","eventData":")" + QByteArray(100'000, 'x') + "\"}");
    double mostMib = residentMib();
    while (!harness.heldBack.empty()) {
        QVERIFY(harness.heldBack.size() <= 256);
        for (const HttpRequest& request : harness.heldBack)
            QCOMPARE(request.body.get(), harness.heldBack.front().body.get());
        harness.answerHeld(200);
        mostMib = std::max(mostMib, residentMib());
    }
    QCOMPARE(harness.number(u"SELECT COUNT(*) FROM webhook_deliveries WHERE status = 'delivered'"_s),
             kEndpoints);
    if (memoryCanBeMeasured())
        QVERIFY2(mostMib - beforeMib <= kMostMib,
                 qPrintable(u"%1 MiB before, %2 MiB at most"_s.arg(beforeMib).arg(mostMib)));
    qInfo("%.1f MiB before, %.1f MiB at most", beforeMib, mostMib);
}

QTEST_GUILESS_MAIN(EndpointFaultsTest)
#include "endpoint_faults_test.moc"
