#include "tests/net/sender_harness.h"
#include "tests/support/http_receiver.h"
#include "tests/support/tls_receiver.h"

using namespace redrive;
using namespace redrive::test;

class HttpSenderTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void bodyArrivesByteIdentical_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::newRow("plain") << QByteArray(R"({"event":"a"})");
        QTest::newRow("trailing newline") << QByteArray("{\"a\":1}\n");
        QTest::newRow("not ASCII") << QByteArray(R"({"a":"žluťoučký"})");
        QTest::newRow("emoji") << QByteArray("{\"a\":\"\xf0\x9f\x9a\x80\"}");
        QTest::newRow("large integer") << QByteArray(R"({"a":9007199254740993,"b":18446744073709551615})");
        QTest::newRow("empty data") << QByteArray(R"({"data":{}})");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("NUL and CRLF") << QByteArray("a\0b\r\n\r\nc", 9);
        QTest::newRow("largest") << QByteArray(128'000, 'x') + "\n";
    }
    void bodyArrivesByteIdentical()
    {
        QFETCH(QByteArray, body);
        HttpReceiver receiver;
        SenderHarness harness;
        for (int attempt = 1; attempt <= 3; ++attempt) {
            const HttpOutcome outcome = harness.exchange(harness.request(receiver.url(), body));
            QCOMPARE(outcome.outcome, Outcome::Answered);
            QCOMPARE(receiver.arrivalCount(), attempt);
            QCOMPARE(receiver.arrivals().back().body, body);
        }
        QCOMPARE(receiver.connectionsAccepted(), 1);
    }

    void sendsWhatItWasToldAndNothingElse()
    {
        HttpReceiver receiver;
        SenderHarness harness;
        HttpRequest request = harness.request(receiver.url("/a/../b%2Fc?d=e"));
        request.headers = {{"Content-Type", "application/json"},
                           {"webhook-id", "evt_1"},
                           {"X-Empty", ""},
                           {"X-Bytes", "\xc3\xa9"}};
        QCOMPARE(harness.exchange(request).status, 200);
        const ReceivedRequest arrived = receiver.arrivals().front();
        QCOMPARE(arrived.method, "POST");
        QCOMPARE(arrived.target, "/a/../b%2Fc?d=e");
        QCOMPARE(arrived.version, "HTTP/1.1");
        QCOMPARE(arrived.header("Host"), "127.0.0.1:" + QByteArray::number(receiver.port()));
        QCOMPARE(arrived.header("Content-Length"), "7");
        QCOMPARE(arrived.header("webhook-id"), "evt_1");
        QCOMPARE(arrived.header("X-Bytes"), "\xc3\xa9");
        QCOMPARE(arrived.headerCount("X-Empty"), 1);
        QCOMPARE(arrived.headerCount("Content-Type"), 1);
        for (const char* unwanted :
             {"Expect", "Accept-Encoding", "Cookie", "Authorization", "Transfer-Encoding"})
            QCOMPARE(arrived.headerCount(unwanted), 0);

        HttpRequest untyped = harness.request(receiver.url());
        untyped.headers.clear();
        QCOMPARE(harness.exchange(untyped).status, 200);
        QCOMPARE(receiver.arrivals().back().headerCount("Content-Type"), 0);
    }

    void tellsWhatTheAnswerWas()
    {
        HttpReceiver receiver;
        receiver.answer("/hook", ReceiverAnswer::status(422, "no \xff thanks", {{"X-Reason", "because"}}));
        SenderHarness harness;
        const HttpOutcome outcome = harness.exchange(receiver.url());
        QCOMPARE(outcome.outcome, Outcome::Answered);
        QCOMPARE(outcome.status, 422);
        QCOMPARE(outcome.responseBody, QByteArray("no \xff thanks"));
        QCOMPARE(outcome.responseHeaders,
                 QByteArray("HTTP/1.1 422 Status\r\nX-Reason: because\r\nContent-Length: 11\r\n"));
        QVERIFY(outcome.errorCode.isEmpty() && !outcome.permanent && !outcome.responseCut);
        QCOMPARE(outcome.peerAddress, u"127.0.0.1"_s);
        QCOMPARE(outcome.peerPort, receiver.port());
        QVERIFY(outcome.connectUs > 0 && outcome.firstByteUs > 0 && outcome.totalUs >= outcome.firstByteUs);
        QCOMPARE(outcome.dnsUs, 0);
        QCOMPARE(outcome.tlsUs, 0);
        QVERIFY(outcome.tlsVersion.isEmpty() && !outcome.certificateExpiryMs && !outcome.retryAfter);
        QCOMPARE(harness.exchange(receiver.url()).connectUs, 0); // the connection was kept
    }

    void redirectsAreNotFollowed_data()
    {
        QTest::addColumn<int>("status");
        for (const int status : {301, 302, 303, 307, 308})
            QTest::addRow("%d", status) << status;
    }
    void redirectsAreNotFollowed()
    {
        QFETCH(int, status);
        HttpReceiver receiver;
        HttpReceiver other;
        receiver.answer("/here", ReceiverAnswer::redirect(status, "/there"));
        receiver.answer("/away", ReceiverAnswer::redirect(status, other.url().toLatin1()));
        SenderHarness harness;
        QCOMPARE(harness.exchange(receiver.url("/here")).status, status);
        QCOMPARE(harness.exchange(receiver.url("/away")).status, status);
        QCOMPARE(receiver.arrivalCount(), 2);
        QCOMPARE(receiver.arrivalCount("/there"), 0);
        QCOMPARE(other.connectionsAccepted(), 0);
    }

    void retryAfterIsHandedOverAsReceived_data()
    {
        QTest::addColumn<QByteArray>("sent");
        QTest::addColumn<QByteArray>("received");
        QTest::newRow("seconds") << QByteArray("120") << QByteArray("120");
        QTest::newRow("spaces") << QByteArray("  120 ") << QByteArray("120");
        QTest::newRow("words") << QByteArray("abc") << QByteArray("abc");
        QTest::newRow("date") << QByteArray("Fri, 31 Dec 1999 23:59:59 GMT")
                              << QByteArray("Fri, 31 Dec 1999 23:59:59 GMT");
    }
    void retryAfterIsHandedOverAsReceived()
    {
        QFETCH(QByteArray, sent);
        HttpReceiver receiver;
        receiver.answer("/hook", ReceiverAnswer::retryAfter(429, sent));
        SenderHarness harness;
        const HttpOutcome outcome = harness.exchange(receiver.url());
        QCOMPARE(outcome.status, 429);
        QTEST(outcome.retryAfter.value(), "received");
    }

    void informationalAnswersAndTrailersAreDropped()
    {
        HttpReceiver receiver;
        receiver.answer("/hook",
                        ReceiverAnswer::raw("HTTP/1.1 103 Early Hints\r\nRetry-After: 9\r\n\r\n"
                                            "HTTP/1.1 200 OK\r\nX-A: b\r\nTransfer-Encoding: chunked\r\n\r\n"
                                            "3\r\nabc\r\n0\r\nX-Trailer: c\r\nRetry-After: 8\r\n\r\n"));
        SenderHarness harness;
        const HttpOutcome outcome = harness.exchange(receiver.url());
        QCOMPARE(outcome.outcome, Outcome::Answered);
        QCOMPARE(outcome.status, 200);
        QCOMPARE(outcome.responseBody, "abc");
        QCOMPARE(outcome.responseHeaders, "HTTP/1.1 200 OK\r\nX-A: b\r\nTransfer-Encoding: chunked\r\n");
        QVERIFY(!outcome.retryAfter);
    }

    void thousandsAtOnceEachArriveOnce()
    {
        constexpr int count = 3'000;
        HttpReceiver receiver;
        HttpSenderOptions options = SenderHarness::loopbackOptions();
        options.maxInFlight = 16;
        SenderHarness harness(std::move(options));
        std::vector<HttpRequest> requests;
        for (int i = 0; i < count; ++i)
            requests.push_back(harness.request(receiver.url(), QByteArray::number(i)));
        QVERIFY(harness.sender.send(std::move(requests)));
        QVERIFY(harness.box.waitForCount(count, 60'000));
        QCOMPARE(receiver.arrivalCount(), count);
        QVERIFY(receiver.connectionsAccepted() <= 16);
        std::set<QByteArray> bodies;
        for (const ReceivedRequest& request : receiver.arrivals())
            bodies.insert(request.body);
        QCOMPARE(int(bodies.size()), count);
        QVERIFY(harness.box.bursts() < count);
    }

    void aCallbackTakesTheOutcomeInsteadOfTheSink()
    {
        HttpReceiver receiver;
        SenderHarness harness;
        OutcomeBox own;
        const HttpRequest request = harness.request(receiver.url());
        QVERIFY(harness.sender.send(request, [&](HttpOutcome outcome) { own.add({std::move(outcome)}); }));
        QVERIFY(own.wait(request.token));
        harness.exchange(receiver.url());
        QCOMPARE(harness.box.count(), size_t(1));
        harness.sender.stop();
    }

    void aHungServerHoldsUpNobodyElse()
    {
        HttpReceiver hung;
        HttpReceiver healthy;
        hung.answer("/hook", ReceiverAnswer::status(200).hold());
        SenderHarness harness;
        for (int i = 0; i < 100; ++i)
            harness.post(harness.request(hung.url()));
        QVERIFY(hung.waitForArrivals(100));
        for (int i = 0; i < 100; ++i)
            QCOMPARE(harness.exchange(healthy.url()).status, 200);
        QCOMPARE(harness.box.count(), size_t(100));
        hung.release();
        QVERIFY(harness.box.waitForCount(200));
    }

    void cancelEndsWhatIsUnderWayAndWhatWaits()
    {
        HttpReceiver receiver;
        receiver.answer("/hook", ReceiverAnswer::status(200).hold());
        HttpSenderOptions options = SenderHarness::loopbackOptions();
        options.maxInFlight = 1;
        SenderHarness harness(std::move(options));
        const quint64 running = harness.post(harness.request(receiver.url()));
        QVERIFY(receiver.waitForArrivals(1));
        const quint64 waiting = harness.post(harness.request(receiver.url()));

        harness.sender.cancel(waiting);
        const auto waited = harness.box.wait(waiting);
        QCOMPARE(waited->errorCode, u"cancelled"_s);
        QCOMPARE(waited->outcome, Outcome::NotSent);

        harness.sender.cancel(running);
        const auto ran = harness.box.wait(running);
        QCOMPARE(ran->errorCode, u"cancelled"_s);
        QCOMPARE(ran->outcome, Outcome::Unknown);
        QVERIFY(receiver.waitForOpenConnections(0));

        harness.sender.cancel(running); // long gone
        receiver.answer("/hook", ReceiverAnswer::status(204, {}));
        QCOMPARE(harness.exchange(receiver.url()).status, 204);
        QCOMPARE(receiver.arrivalCount(), 2);
        QCOMPARE(harness.box.countOf(running), size_t(1));
    }

    void softStopLetsWhatIsUnderWayFinish()
    {
        HttpReceiver receiver;
        receiver.answer("/hook", ReceiverAnswer::status(200).hold());
        SenderHarness harness;
        const quint64 token = harness.post(harness.request(receiver.url()));
        QVERIFY(receiver.waitForArrivals(1));
        harness.sender.beginStop();
        QVERIFY(!harness.sender.send(harness.request(receiver.url())));
        receiver.release();
        harness.sender.stop(10'000);
        QCOMPARE(harness.box.wait(token, 0)->status, 200);
        harness.sender.stop();
        QCOMPARE(receiver.arrivalCount(), 1);
    }

    void hardStopCutsAndTellsEveryOutcome()
    {
        HttpReceiver receiver;
        receiver.answer("/hook", ReceiverAnswer::status(200).hold());
        HttpSenderOptions options = SenderHarness::loopbackOptions();
        options.maxInFlight = 2;
        SenderHarness harness(std::move(options));
        for (int i = 0; i < 5; ++i)
            harness.post(harness.request(receiver.url()));
        QVERIFY(receiver.waitForArrivals(2));
        harness.sender.stop(0);
        QCOMPARE(harness.box.count(), size_t(5));
        int unknown = 0;
        for (quint64 token = 1; token <= 5; ++token) {
            const auto outcome = harness.box.wait(token, 0);
            QCOMPARE(outcome->errorCode, u"cancelled"_s);
            unknown += outcome->outcome == Outcome::Unknown;
        }
        QCOMPARE(unknown, 2);
        QVERIFY(!harness.sender.send(harness.request(receiver.url())));
    }

    void tlsIsVerifiedAndDescribed()
    {
        TlsReceiver receiver;
        HttpSenderOptions options = SenderHarness::loopbackOptions();
        options.caFile = receiver.certificateFile();
        SenderHarness harness(std::move(options));
        for (int attempt = 1; attempt <= 2; ++attempt) {
            const HttpOutcome outcome = harness.exchange(receiver.url());
            QCOMPARE(outcome.outcome, Outcome::Answered);
            QCOMPARE(outcome.status, 200);
            QCOMPARE(outcome.tlsVersion, u"TLSv1.3"_s);
            QCOMPARE(outcome.certificateExpiryMs.value(), receiver.certificateExpiryMs());
            QCOMPARE(outcome.tlsUs > 0, attempt == 1);
            QCOMPARE(receiver.arrivalCount(), attempt);
        }
    }
};

QTEST_APPLESS_MAIN(HttpSenderTest)
#include "http_sender_test.moc"
