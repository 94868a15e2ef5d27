#include "tests/intake/session_rig.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;

namespace {
const QByteArray kHead = "POST /jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n";
const QByteArray kHealth = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
} // namespace

class HttpTimeTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void endsASilentConnection();
    void endsASlowHead();
    void endsASlowLaterHead();
    void endsASlowBody();
    void letsAFairBodyPass();
    void endsASlowChunkedBody();
    void endsAnIdleConnection();
    void waitsForTheEngine();
    void givesUpASlowReader();

private:
    static void verifyTimedOut(const SessionRig& rig);
};

void HttpTimeTest::verifyTimedOut(const SessionRig& rig)
{
    const auto replies = rig.replies();
    QVERIFY(!replies.isEmpty());
    QCOMPARE(replies.last().status, 408);
    QCOMPARE(replies.last().code(), u"request_timeout"_s);
    QCOMPARE(replies.last().json()[u"error"_s].toString(), u"The request was not complete in time."_s);
    QVERIFY(replies.last().closes());
    QVERIFY(rig.session.isFinished());
    QCOMPARE(rig.port.requests.size(), 0U);
}

void HttpTimeTest::endsASilentConnection()
{
    SessionRig rig;
    rig.pass(9'999);
    QVERIFY(rig.output.isEmpty());
    rig.pass(1);
    verifyTimedOut(rig);
}

void HttpTimeTest::endsASlowHead()
{
    SessionRig rig;
    for (int second = 0; second < 10; ++second) {
        QVERIFY(rig.output.isEmpty());
        rig.feed(kHead.mid(second, 1));
        rig.pass(1'000);
    }
    verifyTimedOut(rig);
}

void HttpTimeTest::endsASlowLaterHead()
{
    SessionRig rig;
    rig.feed(kHealth);
    rig.pass(14'000);
    rig.feed("P");
    rig.pass(9'999);
    QCOMPARE(rig.replies().size(), 1);
    rig.pass(1);
    verifyTimedOut(rig);
}

void HttpTimeTest::endsASlowBody()
{
    SessionRig rig;
    rig.pass(9'000);
    rig.feed(kHead);
    rig.pass(19'999);
    QVERIFY(rig.output.isEmpty());
    rig.feed(QByteArray(1024, 'x')); // buys one second
    rig.pass(1'000);
    QVERIFY(rig.output.isEmpty());
    rig.pass(1);
    verifyTimedOut(rig);
}

void HttpTimeTest::letsAFairBodyPass()
{
    SessionRig rig;
    rig.feed("POST /jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
             "100025\r\n\r\n{\"type\":\"a\",\"payload\":\"");
    for (int second = 0; second < 100; ++second) {
        rig.feed(QByteArray(1000, 'x'));
        rig.pass(1'000);
    }
    QVERIFY(rig.output.isEmpty());
    rig.feed("\"}");
    QCOMPARE(rig.replies().size(), 1);
    QCOMPARE(rig.replies().first().status, 202);
}

void HttpTimeTest::endsASlowChunkedBody()
{
    SessionRig rig;
    rig.feed("POST /jobs HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (int second = 0; second < 20; ++second) {
        QVERIFY(rig.output.isEmpty());
        rig.feed("1;slow=1\r\nx\r\n"); // what surrounds the data buys nothing
        rig.pass(1'000);
    }
    rig.pass(20);
    verifyTimedOut(rig);
}

void HttpTimeTest::endsAnIdleConnection()
{
    SessionRig rig;
    rig.feed(kHealth);
    rig.pass(14'999);
    QVERIFY(!rig.session.isFinished());
    rig.feed(kHealth);
    rig.pass(14'999);
    QVERIFY(!rig.session.isFinished());
    rig.pass(1);
    QVERIFY(rig.session.isFinished());
    QCOMPARE(rig.replies().size(), 2); // no 408 for a client that asked for nothing
}

void HttpTimeTest::waitsForTheEngine()
{
    SessionRig rig;
    rig.port.hold = true;
    rig.feed("POST /jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 15\r\n\r\n{\"type\":\"noop\"}");
    rig.pass(29'999);
    QVERIFY(rig.output.isEmpty());
    rig.port.release();
    rig.settle();
    QCOMPARE(rig.replies().first().status, 202);
    rig.pass(14'999); // idle since the answer
    QVERIFY(!rig.session.isFinished());
    rig.pass(1);
    QVERIFY(rig.session.isFinished());
}

void HttpTimeTest::givesUpASlowReader()
{
    SessionRig rig;
    rig.readsOutput = false;
    rig.feed(kHealth.repeated(100));
    rig.pass(19'000);
    rig.session.sent(2048, rig.clock.steadyMs());
    rig.pass(2'999);
    QVERIFY(!rig.session.isStalled());
    rig.pass(1);
    QVERIFY(rig.session.isStalled());
}

QTEST_GUILESS_MAIN(HttpTimeTest)
#include "http_time_test.moc"
