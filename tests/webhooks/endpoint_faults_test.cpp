// Endpoints at their worst, beside healthy ones: each attempt is recorded as it was, nothing is sent that is
// not recorded, nobody else waits, memory stays bounded.
#include "tests/support/garbage_server.h"
#include "tests/support/http_receiver.h"
#include "tests/support/process_memory.h"
#include "tests/support/tls_receiver.h"
#include "tests/webhooks/delivery_harness.h"

#include "core/base/ids.h"

#include <QElapsedTimer>
#include <QTest>

using namespace redrive;
using namespace redrive::test;

namespace {

constexpr int kAttempts = 4;
constexpr double kMoreMib = 20;

struct Fault
{
    QString id;
    QString url;
    QString record; // class, error code and status of every attempt
    bool arrives;   // its requests are seen whole by the receiver
};

QByteArray gzipBomb()
{
    // What it would grow to does not matter: nothing unpacks it.
    return "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 10000000000\r\n\r\n\x1f\x8b\x08";
}

class Faults
{
public:
    Faults()
    {
        using A = ReceiverAnswer;
        add("silence", A::status(200).hold(), "unknown timeout_total 0");
        add("one-byte-a-second", A::drip(1'000), "unknown timeout_total 0");
        add("reset-in-the-body", A::raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", A::Then::Reset),
            "unknown reset 200");
        add("closed-in-the-body", A::closeInBody(), "unknown closed_in_answer 200");
        add("closed-without-a-word", A::closeWithoutAnswer(), "unknown closed_without_answer 0");
        add("half-closed", A::raw({}, A::Then::HalfClose), "unknown closed_without_answer 0");
        add("endless-body", A::hugeBody(10'000'000'000), "answered - 200");
        A bomb = A::raw(gzipBomb());
        bomb.fillBytes = 10'000'000'000;
        add("gzip-bomb", bomb, "answered - 200");
        A field = A::raw("HTTP/1.1 200 OK\r\nX-A: ");
        field.fillBytes = 100'000'000;
        add("100-mb-header", field, "unknown headers_too_large 200");
        add("redirects-to-itself", A::redirect(302, receiver.url("/redirects-to-itself").toLatin1()),
            "answered - 302");
        add("redirects-inside", A::redirect(302, "http://169.254.169.254/latest/meta-data/"),
            "answered - 302");
        faults.push_back({u"refuses"_s, u"http://127.0.0.1:%1/"_s.arg(HttpReceiver().port()),
                          u"not_sent refused 0"_s, false});
        faults.push_back({u"tls-garbage"_s, u"https://127.0.0.1:%1/"_s.arg(garbage.port()),
                          u"not_sent tls_failed 0"_s, false});
        faults.push_back({u"bad-certificate"_s, untrusted.url(), u"not_sent tls_failed 0"_s, false});
        faults.push_back({u"expired-certificate"_s, expired.url(), u"not_sent tls_failed 0"_s, false});
        faults.push_back(
            {u"metadata"_s, u"http://169.254.169.254/latest/"_s, u"not_sent blocked 0"_s, false});
    }

    HttpReceiver receiver;
    GarbageServer garbage;
    TlsReceiver untrusted;
    TlsReceiver expired{{"IP:127.0.0.1", -7'200, -3'600}};
    std::vector<Fault> faults;

private:
    void add(const char* id, const ReceiverAnswer& answer, const char* record)
    {
        receiver.answer(QByteArray("/") + id, answer);
        faults.push_back(
            {QString::fromLatin1(id), receiver.url(QByteArray("/") + id), QString::fromLatin1(record), true});
    }
};

qint64 percentile99(const DeliveryHarness& harness, qint64 fromMs)
{
    const qint64 count = harness.number(
        u"SELECT COUNT(*) FROM delivery_attempts WHERE url LIKE '%/healthy%' AND started_at_ms >= %1"_s.arg(
            fromMs));
    return harness.number(u"SELECT total_us FROM delivery_attempts WHERE url LIKE '%/healthy%' AND "
                          "started_at_ms >= %1 ORDER BY total_us LIMIT 1 OFFSET %2"_s.arg(fromMs)
                              .arg(count * 99 / 100));
}

} // namespace

class EndpointFaultsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyFaultIsRecordedAndHurtsNobody();
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
