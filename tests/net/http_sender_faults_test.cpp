#include "tests/net/sender_harness.h"
#include "tests/support/http_receiver.h"
#include "tests/support/tls_receiver.h"

#include <QElapsedTimer>

using namespace redrive;
using namespace redrive::test;

Q_DECLARE_METATYPE(redrive::test::ReceiverAnswer)

namespace {

// A port that nobody listens on.
quint16 closedPort()
{
    return HttpReceiver().port();
}

} // namespace

class HttpSenderFaultsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void answersThatAreNone_data()
    {
        QTest::addColumn<ReceiverAnswer>("answer");
        QTest::addColumn<QString>("errorCode");
        QTest::addColumn<int>("status");
        const auto row = [](const char* name, const ReceiverAnswer& answer, const char* code,
                            int status = 0) {
            QTest::newRow(name) << answer << QString::fromLatin1(code) << status;
        };
        row("closed", ReceiverAnswer::closeWithoutAnswer(), "closed_without_answer");
        row("reset", ReceiverAnswer::resetWithoutAnswer(), "reset");
        row("closed in the body", ReceiverAnswer::closeInBody(), "closed_in_answer", 200);
        row("closed in the headers", ReceiverAnswer::raw("HTTP/1.1 200 OK\r\nX-A: b\r\n"), "closed_in_answer",
            200);
        row("closed in a chunk",
            ReceiverAnswer::raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"),
            "closed_in_answer", 200);
        row("bad chunk",
            ReceiverAnswer::raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n"),
            "bad_answer", 200);
        row("garbage", ReceiverAnswer::raw("SSH-2.0-OpenSSH_9.2\r\n\r\n"), "bad_answer");
        row("HTTP/0.9", ReceiverAnswer::raw("<html>hello</html>"), "bad_answer");
        row("HTTP/2", ReceiverAnswer::raw("HTTP/2 200\r\nContent-Length: 0\r\n\r\n"), "bad_answer", 200);
        row("NUL in a header", ReceiverAnswer::raw(QByteArray("HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n", 26)),
            "bad_answer", 200);
        row("bad length", ReceiverAnswer::raw("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n"), "bad_answer",
            200);
        QByteArray manyFields = "HTTP/1.1 200 OK\r\n";
        for (int i = 0; i < 5'000; ++i)
            manyFields += "X-Field-" + QByteArray::number(i) + ": some value\r\n";
        row("flood of fields", ReceiverAnswer::raw(manyFields + "\r\n"), "headers_too_large", 200);
        row("endless field", ReceiverAnswer::raw("HTTP/1.1 200 OK\r\nX-A: " + QByteArray(1'000'000, 'a')),
            "headers_too_large", 200);
    }
    void answersThatAreNone()
    {
        QFETCH(ReceiverAnswer, answer);
        QFETCH(int, status);
        HttpReceiver receiver;
        receiver.answerNext("/hook", answer);
        SenderHarness harness;
        const HttpOutcome outcome = harness.exchange(receiver.url());
        QTEST(outcome.errorCode, "errorCode");
        QCOMPARE(outcome.outcome, Outcome::Unknown);
        QCOMPARE(outcome.status, status);
        QVERIFY(!outcome.errorText.isEmpty() && !outcome.errorText.contains(u'\n'));
        QVERIFY(!outcome.permanent);
        QVERIFY(outcome.responseHeaders.size() <= 65'536);
        QCOMPARE(outcome.peerPort, receiver.port());
        QCOMPARE(harness.exchange(receiver.url()).status, 200);
        QCOMPARE(receiver.arrivalCount(), 2);
    }

    // libcurl would send again by itself, on a kept connection above all.
    void oneAttemptIsOneRequestOnTheWire_data()
    {
        QTest::addColumn<ReceiverAnswer>("answer");
        QTest::addColumn<QByteArray>("body");
        const QList<std::pair<const char*, QByteArray>> bodies{
            {"no body", {}}, {"small body", "{}"}, {"large body", QByteArray(128'000, 'x')}};
        for (const auto& [name, body] : bodies) {
            QTest::addRow("closed, %s", name) << ReceiverAnswer::closeWithoutAnswer() << body;
            QTest::addRow("reset, %s", name) << ReceiverAnswer::resetWithoutAnswer() << body;
        }
    }
    void oneAttemptIsOneRequestOnTheWire()
    {
        QFETCH(ReceiverAnswer, answer);
        QFETCH(QByteArray, body);
        HttpReceiver receiver;
        SenderHarness harness;
        QCOMPARE(harness.exchange(receiver.url()).status, 200);
        for (int attempt = 1; attempt <= 3; ++attempt) {
            receiver.answerNext("/hook", answer);
            const HttpOutcome outcome = harness.exchange(harness.request(receiver.url(), body));
            QCOMPARE(outcome.outcome, Outcome::Unknown);
            QVERIFY2(outcome.errorCode == u"closed_without_answer" || outcome.errorCode == u"reset",
                     qPrintable(outcome.errorCode));
            QCOMPARE(harness.exchange(receiver.url()).status, 200); // a kept connection for the next one
            QCOMPARE(receiver.arrivalCount(), 1 + 2 * attempt);
        }
    }

    void aKeptConnectionThatTheServerClosedIsNotUsed()
    {
        HttpReceiver receiver;
        SenderHarness harness;
        receiver.answerNext("/hook", ReceiverAnswer::status(200).andClose());
        QCOMPARE(harness.exchange(receiver.url()).status, 200);
        QVERIFY(receiver.waitForOpenConnections(0));
        QCOMPARE(harness.exchange(receiver.url()).status, 200);
        QCOMPARE(receiver.arrivalCount(), 2);
        QCOMPARE(receiver.connectionsAccepted(), 2);
    }

    void nothingListens()
    {
        SenderHarness harness;
        const HttpOutcome outcome = harness.exchange(u"http://127.0.0.1:%1/"_s.arg(closedPort()));
        QCOMPARE(outcome.errorCode, u"refused"_s);
        QCOMPARE(outcome.outcome, Outcome::NotSent);
        QVERIFY(!outcome.permanent);
    }

    void silenceEndsAtTheFirstByteDeadline()
    {
        HttpReceiver receiver;
        receiver.answer("/hook", ReceiverAnswer::status(200).hold());
        SenderHarness harness;
        HttpRequest request = harness.request(receiver.url());
        request.firstByteTimeoutMs = 150;
        QElapsedTimer timer;
        timer.start();
        const HttpOutcome outcome = harness.exchange(request);
        QVERIFY(timer.elapsed() >= 150 && timer.elapsed() < request.connectTimeoutMs);
        QCOMPARE(outcome.errorCode, u"timeout_first_byte"_s);
        QCOMPARE(outcome.outcome, Outcome::Unknown);
        QCOMPARE(outcome.errorText, u"no answer began within 0.15 s"_s);
        QCOMPARE(receiver.arrivalCount(), 1);
        QVERIFY(receiver.waitForOpenConnections(0));
    }

    void drippingEndsAtTheTotalDeadline()
    {
        HttpReceiver receiver;
        receiver.answer("/hook", ReceiverAnswer::drip(20));
        SenderHarness harness;
        HttpRequest request = harness.request(receiver.url());
        request.firstByteTimeoutMs = 200;
        request.totalTimeoutMs = 300;
        QElapsedTimer timer;
        timer.start();
        const HttpOutcome outcome = harness.exchange(request);
        QVERIFY(timer.elapsed() >= 300);
        QCOMPARE(outcome.errorCode, u"timeout_total"_s);
        QCOMPARE(outcome.outcome, Outcome::Unknown);
        QVERIFY(receiver.waitForOpenConnections(0));
    }

    void aStuckHandshakeEndsAtTheConnectDeadline()
    {
        HttpReceiver receiver; // waits for a request line that a TLS greeting never becomes
        SenderHarness harness;
        HttpRequest request = harness.request(receiver.url().replace(u"http:"_s, u"https:"_s));
        request.connectTimeoutMs = 150;
        const HttpOutcome outcome = harness.exchange(request);
        QCOMPARE(outcome.errorCode, u"timeout_connect"_s);
        QCOMPARE(outcome.outcome, Outcome::NotSent);
        QCOMPARE(outcome.peerPort, receiver.port());
    }

    void certificatesThatDoNotHoldFailClosed_data()
    {
        QTest::addColumn<bool>("trusted");
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<qint64>("starts");
        QTest::addColumn<qint64>("ends");
        QTest::addColumn<int>("version");
        QTest::newRow("unknown issuer") << false << QByteArray("IP:127.0.0.1") << -60LL << 60'000LL << 0x0304;
        QTest::newRow("other host") << true << QByteArray("DNS:example.com") << -60LL << 60'000LL << 0x0304;
        QTest::newRow("expired") << true << QByteArray("IP:127.0.0.1") << -7'200LL << -3'600LL << 0x0304;
        QTest::newRow("not yet valid") << true << QByteArray("IP:127.0.0.1") << 3'600LL << 7'200LL << 0x0304;
        QTest::newRow("TLS 1.1") << true << QByteArray("IP:127.0.0.1") << -60LL << 60'000LL << 0x0302;
    }
    void certificatesThatDoNotHoldFailClosed()
    {
        QFETCH(bool, trusted);
        QFETCH(QByteArray, name);
        QFETCH(qint64, starts);
        QFETCH(qint64, ends);
        QFETCH(int, version);
        TlsReceiver receiver({name, starts, ends, version});
        HttpSenderOptions options = SenderHarness::loopbackOptions();
        if (trusted)
            options.caFile = receiver.certificateFile();
        SenderHarness harness(std::move(options));
        const HttpOutcome outcome = harness.exchange(receiver.url());
        QCOMPARE(outcome.errorCode, u"tls_failed"_s);
        QCOMPARE(outcome.outcome, Outcome::NotSent);
        QVERIFY(!outcome.permanent);
        QCOMPARE(receiver.arrivalCount(), 0);
        const bool wasShown = version >= 0x0303;
        QCOMPARE(outcome.certificateExpiryMs,
                 wasShown ? std::optional(receiver.certificateExpiryMs()) : std::nullopt);
    }

    void plainServerOnAnHttpsUrl()
    {
        HttpReceiver receiver;
        SenderHarness harness;
        HttpRequest request = harness.request(receiver.url().replace(u"http:"_s, u"https:"_s));
        request.connectTimeoutMs = 200;
        QCOMPARE(harness.exchange(request).outcome, Outcome::NotSent);
        QCOMPARE(receiver.arrivalCount(), 0);
    }

    void bodiesAreReadTo64KiB_data()
    {
        QTest::addColumn<qint64>("sent");
        QTest::addColumn<qint64>("kept");
        QTest::addColumn<bool>("cut");
        QTest::newRow("just below") << 65'535LL << 65'535LL << false;
        QTest::newRow("exactly") << 65'536LL << 65'536LL << false;
        QTest::newRow("just above") << 65'537LL << 65'536LL << true;
        QTest::newRow("50 MB") << 50'000'000LL << 65'536LL << true;
    }
    void bodiesAreReadTo64KiB()
    {
        QFETCH(qint64, sent);
        QFETCH(bool, cut);
        HttpReceiver receiver;
        receiver.answer("/hook", ReceiverAnswer::hugeBody(sent));
        SenderHarness harness;
        const HttpOutcome outcome = harness.exchange(receiver.url());
        QCOMPARE(outcome.outcome, Outcome::Answered);
        QCOMPARE(outcome.status, 200);
        QTEST(qint64(outcome.responseBody.size()), "kept");
        QCOMPARE(outcome.responseCut, cut);
        QVERIFY(outcome.errorCode.isEmpty());
        if (cut)
            QVERIFY(receiver.waitForOpenConnections(0));
        QVERIFY(receiver.bytesSent() < 20'000'000); // what the sockets' buffers held
    }

    void compressedAnswersStayCompressed_data()
    {
        QTest::addColumn<QByteArray>("field");
        QTest::newRow("content coding") << QByteArray("Content-Encoding: gzip\r\nContent-Length: 6\r\n");
        QTest::newRow("broken coding")
            << QByteArray("Content-Encoding: gzip, br, zstd\r\nContent-Length: 6\r\n");
    }
    void compressedAnswersStayCompressed()
    {
        QFETCH(QByteArray, field);
        HttpReceiver receiver;
        receiver.answer("/hook", ReceiverAnswer::raw("HTTP/1.1 200 OK\r\n" + field + "\r\n\x1f\x8b\x08zip"));
        SenderHarness harness;
        const HttpOutcome outcome = harness.exchange(receiver.url());
        QCOMPARE(outcome.outcome, Outcome::Answered);
        QCOMPARE(outcome.responseBody, "\x1f\x8b\x08zip");
    }

    void headersThatWouldSmuggleAreNotSent_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("value");
        QTest::newRow("CRLF") << QByteArray("X-A") << QByteArray("b\r\nX-Evil: c");
        QTest::newRow("LF") << QByteArray("X-A") << QByteArray("b\nX-Evil: c");
        QTest::newRow("NUL") << QByteArray("X-A") << QByteArray("b\0c", 3);
        QTest::newRow("second length") << QByteArray("Content-Length") << QByteArray("3");
        QTest::newRow("transfer coding") << QByteArray("Transfer-Encoding") << QByteArray("chunked");
        QTest::newRow("host") << QByteArray("Host") << QByteArray("internal");
        QTest::newRow("name with break") << QByteArray("X-A\r\nX-Evil") << QByteArray("c");
    }
    void headersThatWouldSmuggleAreNotSent()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, value);
        HttpReceiver receiver;
        SenderHarness harness;
        HttpRequest request = harness.request(receiver.url());
        request.headers.append({name, value});
        const HttpOutcome outcome = harness.exchange(request);
        QCOMPARE(outcome.errorCode, u"invalid_request"_s);
        QCOMPARE(outcome.outcome, Outcome::NotSent);
        QVERIFY(outcome.permanent);
        QCOMPARE(receiver.connectionsAccepted(), 0);
    }

    void urlsThatCannotBeUsed_data()
    {
        QTest::addColumn<QString>("url");
        QTest::newRow("file") << u"file:///etc/passwd"_s;
        QTest::newRow("user info") << u"http://user:secret@127.0.0.1/"_s;
        QTest::newRow("none") << QString();
    }
    void urlsThatCannotBeUsed()
    {
        QFETCH(QString, url);
        SenderHarness harness;
        const HttpOutcome outcome = harness.exchange(url);
        QCOMPARE(outcome.errorCode, u"invalid_request"_s);
        QVERIFY(outcome.permanent);
        QVERIFY(!outcome.errorText.contains(u"secret"_s));
    }

    void proxiesOfTheEnvironmentAreIgnored()
    {
        HttpReceiver proxy;
        HttpReceiver receiver;
        for (const char* name : {"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"})
            qputenv(name, proxy.url("").toLatin1());
        SenderHarness harness;
        QCOMPARE(harness.exchange(receiver.url()).status, 200);
        for (const char* name : {"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"})
            qunsetenv(name);
        QCOMPARE(proxy.connectionsAccepted(), 0);
    }
};

QTEST_APPLESS_MAIN(HttpSenderFaultsTest)
#include "http_sender_faults_test.moc"
