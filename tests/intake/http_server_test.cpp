#include "core/intake/http_server.h"

#include "core/intake/descriptor_limit.h"
#include "tests/intake/fake_port.h"
#include "tests/intake/http_table.h"
#include "tests/intake/session_rig.h"
#include "tests/intake/socket_client.h"
#include "tests/support/manual_clock.h"

#include <QTcpServer>
#include <QTest>

#include <thread>

using namespace redrive;
using namespace redrive::test;

namespace {

const QByteArray kHealth = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
const QByteArray kJob =
    "POST /jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 15\r\n\r\n{\"type\":\"noop\"}";

HttpOptions freePort()
{
    HttpOptions options;
    options.listen = u"127.0.0.1:0"_s;
    options.processFileRoots = {u"/srv/files"_s};
    return options;
}

struct Running
{
    explicit Running(const HttpOptions& options = freePort())
        : server(clock, port), started(server.start(options))
    {
    }
    ManualClock clock;
    FakePort port;
    HttpServer server;
    Status started;
};

} // namespace

// The machine may be busy: a failing test may take its time, a passing one does not.
#define COMES_TRUE(condition) QTRY_VERIFY_WITH_TIMEOUT(condition, 20'000)

class HttpServerTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void answersTheTable();
    void answersTheTableByteByByte();
    void pipelinesInOrder();
    void answersFromOtherThreads();
    void letsAHalfClosedClientRead();
    void letsAFloodingClientRead();
    void dropsAnswersOfThoseGone();
    void refusesSurplusConnections();
    void timesOutSlowClients();
    void listensWhereItMay();
    void stopsSoftly();
    void stopsWithCallbacksLeft();

private:
    static void verifyTable(bool slowly);
};

void HttpServerTest::verifyTable(bool slowly)
{
    HttpOptions secured = freePort();
    secured.tokens = bookOf({"secret"});
    Running open;
    Running locked(secured);
    QVERIFY(open.started && locked.started);
    for (const TableRow& row : httpTable()) {
        if (slowly && row.request.size() > 1000)
            continue;
        Running& running = row.token ? locked : open;
        const int before = running.port.calls;
        SocketClient client(running.server.port());
        QVERIFY(client.isConnected());
        if (slowly)
            client.sendSlowly(row.request);
        else
            client.send(row.request);
        const auto replies = client.replies(1);
        QVERIFY2(replies.size() == 1, row.name);
        QVERIFY2(replies.first().status == row.status, row.name);
        QVERIFY2(*row.code == 0 || replies.first().code() == QString::fromUtf8(row.code), row.name);
        QVERIFY2(running.port.calls - before == row.calls, row.name);
        if (row.close)
            QVERIFY2(client.isClosed(), row.name);
    }
    QVERIFY(open.server.figures().requests > 100);
}

void HttpServerTest::answersTheTable()
{
    verifyTable(false);
}

void HttpServerTest::answersTheTableByteByByte()
{
    verifyTable(true);
}

void HttpServerTest::pipelinesInOrder()
{
    Running running;
    running.port.hold = true;
    SocketClient client(running.server.port());
    client.send(kJob.repeated(100));
    COMES_TRUE(running.port.heldCount() == 100U);
    running.port.release(true);
    const auto replies = client.replies(100);
    QCOMPARE(replies.size(), 100);
    for (int i = 0; i < 100; ++i)
        QCOMPARE(replies[i].json()[u"jobId"_s].toString(), u"job-%1"_s.arg(i));
}

void HttpServerTest::answersFromOtherThreads()
{
    Running running;
    running.port.hold = true;
    std::vector<std::unique_ptr<SocketClient>> clients;
    for (int i = 0; i < 16; ++i) {
        clients.push_back(std::make_unique<SocketClient>(running.server.port()));
        clients.back()->send(kJob.repeated(10));
    }
    COMES_TRUE(running.port.heldCount() == 160U);
    std::thread([&] { running.port.release(); }).join();
    for (const auto& client : clients) {
        const auto replies = client->replies(10);
        QCOMPARE(replies.size(), 10);
        for (const HttpReply& reply : replies)
            QCOMPARE(reply.status, 202);
    }
}

void HttpServerTest::letsAHalfClosedClientRead()
{
    Running running;
    running.port.hold = true;
    SocketClient client(running.server.port());
    client.send(kJob);
    client.sendNoMore();
    COMES_TRUE(running.port.heldCount() == 1U);
    running.port.release();
    QCOMPARE(client.replies(1).size(), 1);
    QVERIFY(client.isClosed());
    COMES_TRUE(running.server.figures().openConnections == 0U);
}

// A client that sends on and on must still be able to read why it was refused.
void HttpServerTest::letsAFloodingClientRead()
{
    Running running;
    SocketClient client(running.server.port());
    client.send("GET / HTTP/1.1\r\nX: " + QByteArray(8'000'000, 'a'));
    const auto replies = client.replies(1);
    QCOMPARE(replies.size(), 1);
    QCOMPARE(replies.first().status, 431);
}

void HttpServerTest::dropsAnswersOfThoseGone()
{
    Running running;
    running.port.hold = true;
    {
        SocketClient client(running.server.port());
        client.send(kJob);
        COMES_TRUE(running.port.heldCount() == 1U);
    }
    running.port.release();
    COMES_TRUE(running.server.figures().openConnections == 0U);
    running.port.hold = false;
    SocketClient next(running.server.port());
    next.send(kJob);
    QCOMPARE(next.replies(1).size(), 1);
}

void HttpServerTest::refusesSurplusConnections()
{
    if (raiseDescriptorLimit(4096) < 2500)
        QSKIP("not enough descriptors allowed here");
    Running running;
    std::vector<std::unique_ptr<SocketClient>> clients;
    for (int i = 0; i < 1024; ++i) {
        clients.push_back(std::make_unique<SocketClient>(running.server.port()));
        QVERIFY(clients.back()->isConnected());
    }
    COMES_TRUE(running.server.figures().openConnections == 1024U);
    SocketClient surplus(running.server.port());
    const auto replies = surplus.replies(1);
    QCOMPARE(replies.size(), 1);
    QCOMPARE(replies.first().status, 503);
    QCOMPARE(replies.first().code(), u"too_many_connections"_s);
    QCOMPARE(replies.first().headers.value("retry-after"), "1");
    QVERIFY(surplus.isClosed());
    clients.back()->send(kHealth);
    QCOMPARE(clients.back()->replies(1).size(), 1);
    clients.clear();
    COMES_TRUE(running.server.figures().openConnections == 0U);
    SocketClient next(running.server.port());
    next.send(kHealth);
    QCOMPARE(next.replies(1).size(), 1);
    QCOMPARE(running.server.figures().surplusConnections, 1U);
}

void HttpServerTest::timesOutSlowClients()
{
    Running running;
    std::vector<std::unique_ptr<SocketClient>> slow;
    for (int i = 0; i < 50; ++i) {
        slow.push_back(std::make_unique<SocketClient>(running.server.port()));
        slow.back()->send("GET /");
    }
    COMES_TRUE(running.server.figures().openConnections == 50U);
    running.clock.advance(9'999);
    SocketClient healthy(running.server.port());
    healthy.send(kHealth);
    QCOMPARE(healthy.replies(1).size(), 1);
    running.clock.advance(1);
    for (const auto& client : slow) {
        QCOMPARE(client->replies(1).size(), 1);
        QCOMPARE(client->replies(1).first().status, 408);
        QVERIFY(client->isClosed());
    }
    healthy.send(kHealth);
    QCOMPARE(healthy.replies(2).size(), 2);
    running.clock.advance(15'000);
    QVERIFY(healthy.isClosed());
}

void HttpServerTest::listensWhereItMay()
{
    Running running;
    QVERIFY(running.server.port() > 0);
    QCOMPARE(running.server.address(), u"127.0.0.1:%1"_s.arg(running.server.port()));
    QCOMPARE(int(running.server.start(freePort()).error().kind), int(ErrorKind::Refused));

    HttpOptions taken;
    taken.listen = running.server.address();
    const Running second(taken);
    QVERIFY(!second.started);
    QCOMPARE(int(second.started.error().kind), int(ErrorKind::Conflict));
    QVERIFY(second.started.error().message.contains(running.server.address()));
    QCOMPARE(second.server.port(), 0);
}

void HttpServerTest::stopsSoftly()
{
    Running running;
    running.port.hold = true;
    SocketClient waiting(running.server.port());
    SocketClient idle(running.server.port());
    idle.send(kHealth);
    QCOMPARE(idle.replies(1).size(), 1);
    waiting.send(kJob);
    COMES_TRUE(running.port.heldCount() == 1U);
    running.server.beginStop();
    QVERIFY(idle.isClosed());
    SocketClient late(running.server.port());
    late.send(kJob);
    const auto refused = late.replies(1);
    QCOMPARE(refused.size(), 1);
    QCOMPARE(refused.first().status, 503);
    QCOMPARE(refused.first().code(), u"shutting_down"_s);
    QCOMPARE(refused.first().headers.value("retry-after"), "5");
    QVERIFY(late.isClosed());
    running.port.release();
    running.server.stop();
    running.server.stop();
    const auto delivered = waiting.replies(1);
    QCOMPARE(delivered.size(), 1);
    QCOMPARE(delivered.first().status, 202);
    QVERIFY(waiting.isClosed());
    QVERIFY(!SocketClient(running.server.port()).isConnected());
}

void HttpServerTest::stopsWithCallbacksLeft()
{
    FakePort port;
    port.hold = true;
    ManualClock clock;
    auto server = std::make_unique<HttpServer>(clock, port);
    QVERIFY(server->start(freePort()));
    SocketClient client(server->port());
    client.send(kJob);
    COMES_TRUE(port.heldCount() == 1U);
    server->stop();
    QVERIFY(client.isClosed());
    server.reset();
    port.release(); // into the void, without harm
    QVERIFY(client.received().isEmpty());
}

QTEST_GUILESS_MAIN(HttpServerTest)
#include "http_server_test.moc"
