#include "core/intake/http_server.h"
#include "tests/intake/session_rig.h"
#include "tests/intake/socket_client.h"
#include "tests/intake/tls_client.h"
#include "tests/support/test_certificate.h"

#include <QTemporaryDir>
#include <QTest>

using namespace redrive;
using namespace redrive::test;

namespace {

const QByteArray kHealth = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
const QByteArray kJob =
    "POST /jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 15\r\n\r\n{\"type\":\"noop\"}";

#define COMES_TRUE(condition) QTRY_VERIFY_WITH_TIMEOUT(condition, 20'000)

struct Running
{
    explicit Running(std::function<void(HttpOptions&)> change = {}, const TlsIdentity& identity = {})
        : certificate(identity, folder.path()), server(clock, port), started(start(change))
    {
    }
    Status start(const std::function<void(HttpOptions&)>& change)
    {
        HttpOptions options;
        options.listen = u"127.0.0.1:0"_s;
        options.listenTls = u"127.0.0.1:0"_s;
        options.tls = {certificate.certificateFile(), certificate.keyFile()};
        options.tlsLookMs = 20;
        if (change)
            change(options);
        return server.start(options);
    }
    quint16 tlsPort() const { return server.tlsAddress().section(u':', -1).toUShort(); }

    QTemporaryDir folder;
    ManualClock clock;
    FakePort port;
    TestCertificate certificate;
    HttpServer server;
    Status started;
};

} // namespace

class TlsListenerTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void servesBothListeners()
    {
        Running running;
        QVERIFY2(running.started, running.started ? "" : qPrintable(running.started.error().text()));
        TlsClient client(running.tlsPort());
        QVERIFY(client.isConnected());
        client.send("POST /jobs HTTP/1.1\r\nHost: localhost\r\nOrigin: https://localhost\r\n"
                    "Content-Length: 15\r\n\r\n{\"type\":\"noop\"}" +
                    kHealth);
        const auto replies = client.replies(2);
        QCOMPARE(replies.size(), 2);
        QCOMPARE(replies[0].status, 202);
        QCOMPARE(replies[1].status, 200);
        SocketClient plain(running.server.port());
        plain.send(kHealth);
        QCOMPARE(plain.replies(1).size(), 1);
        QCOMPARE(running.server.tlsState().certificateEndsAtMs, running.certificate.expiryMs());
        QVERIFY(!running.server.isInsecure());
    }

    void carriesMuchBothWays()
    {
        Running running;
        TlsClient client(running.tlsPort());
        const QByteArray line = "{\"type\":\"a\",\"payload\":\"" + QByteArray(2'500, 'x') + "\"}\n";
        const QByteArray body = line.repeated(100);
        client.send("POST /jobs/batch HTTP/1.1\r\nHost: localhost\r\nContent-Length: " +
                    QByteArray::number(body.size()) + "\r\n\r\n" + body);
        QCOMPARE(client.replies(1).size(), 1);
        QCOMPARE(client.replies(1).first().status, 202);
        QCOMPARE(running.port.requests.front().jobs.size(), 100U);
        client.send(kJob.repeated(1'000));
        QCOMPARE(client.replies(1'001).size(), 1'001);
    }

    void saysThatNothingFollows()
    {
        Running running;
        TlsClient client(running.tlsPort());
        client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        QCOMPARE(client.replies(1).size(), 1);
        QVERIFY(client.isClosed());
    }

    void speaksNothingBelowTls12()
    {
        Running running;
        for (const int version : {TLS1_VERSION, TLS1_1_VERSION})
            QVERIFY(!TlsClient(running.tlsPort(), version).isConnected());
        QCOMPARE(TlsClient(running.tlsPort(), TLS1_2_VERSION).version(), "TLSv1.2");
        QCOMPARE(TlsClient(running.tlsPort()).version(), "TLSv1.3");
    }

    void closesPlainHttp()
    {
        Running running;
        SocketClient client(running.tlsPort());
        client.send(kHealth);
        QVERIFY(client.isClosed());
        QVERIFY(!client.received().startsWith("HTTP/"));
        COMES_TRUE(running.server.figures().openConnections == 0U);
    }

    // The handshake is a part of the time for the first head.
    void givesUpAStalledHandshake()
    {
        Running running;
        SocketClient silent(running.tlsPort());
        SocketClient begun(running.tlsPort());
        begun.send(QByteArray("\x16\x03\x01\x02\x00\x01", 6)); // of a ClientHello
        TlsClient idle(running.tlsPort());                     // done with it, but asks for nothing
        QVERIFY(idle.isConnected());
        COMES_TRUE(running.server.figures().openConnections == 3U);
        running.clock.advance(9'999);
        TlsClient other(running.tlsPort());
        other.send(kHealth);
        QCOMPARE(other.replies(1).size(), 1);
        QCOMPARE(running.server.figures().openConnections, 4U);
        running.clock.advance(1);
        QVERIFY(silent.isClosed());
        QVERIFY(begun.isClosed());
        QVERIFY(silent.received().isEmpty() && begun.received().isEmpty());
        QCOMPARE(idle.replies(1).size(), 1);
        QCOMPARE(idle.replies(1).first().status, 408);
    }

    void takesOverARenewedCertificate()
    {
        Running running;
        QCOMPARE(TlsClient(running.tlsPort()).certificateEndMs(), running.certificate.expiryMs());
        TlsClient before(running.tlsPort());
        const TestCertificate renewed({.endsInSeconds = 40 * 86'400}, running.folder.path());
        COMES_TRUE(running.server.tlsState().certificateEndsAtMs == renewed.expiryMs());
        QCOMPARE(TlsClient(running.tlsPort()).certificateEndMs(), renewed.expiryMs());
        before.send(kHealth); // goes on with the one it began with
        QCOMPARE(before.replies(1).size(), 1);

        QFile broken(renewed.certificateFile());
        QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("nothing") == 7);
        broken.close();
        COMES_TRUE(!running.server.tlsState().problem.isEmpty());
        QCOMPARE(TlsClient(running.tlsPort()).certificateEndMs(), renewed.expiryMs());
        const TestCertificate mended({}, running.folder.path());
        COMES_TRUE(running.server.tlsState().problem.isEmpty());
        QCOMPARE(TlsClient(running.tlsPort()).certificateEndMs(), mended.expiryMs());
    }

    void needsFilesThatFit_data()
    {
        QTest::addColumn<QString>("certificate");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("words");
        QTest::newRow("no certificate") << u"none.pem"_s << u"key.pem"_s << u"the certificate"_s;
        QTest::newRow("no key") << u"certificate.pem"_s << u"none.pem"_s << u"the key"_s;
        QTest::newRow("a key for a certificate") << u"key.pem"_s << u"key.pem"_s << u"the certificate"_s;
        QTest::newRow("another's key") << u"certificate.pem"_s << u"other/key.pem"_s << u"the key"_s;
    }
    void needsFilesThatFit()
    {
        QFETCH(QString, certificate);
        QFETCH(QString, key);
        QFETCH(QString, words);
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir(u"other"_s));
        const TestCertificate one({}, folder.path());
        const TestCertificate other({}, folder.filePath(u"other"_s));
        const Running running([&](HttpOptions& options) {
            options.tls = {folder.filePath(certificate), folder.filePath(key)};
        });
        QVERIFY(!running.started);
        QCOMPARE(int(running.started.error().kind), int(ErrorKind::InvalidInput));
        QVERIFY2(running.started.error().message.startsWith(words),
                 qPrintable(running.started.error().text()));
    }

    void leavesLoopbackOnlyWithWhatItTakes()
    {
        const auto kind = [](const Running& running) {
            return running.started ? -1 : int(running.started.error().kind);
        };
        const int refused = int(ErrorKind::Refused);
        const auto everywhere = [](HttpOptions& options) { options.listenTls = u"0.0.0.0:0"_s; };
        QCOMPARE(kind(Running([](HttpOptions& options) { options.listen = u"0.0.0.0:0"_s; })), refused);
        QCOMPARE(kind(Running(everywhere)), refused);
        QCOMPARE(kind(Running([&](HttpOptions& options) {
                     everywhere(options);
                     options.tokens = std::make_shared<TokenBook>();
                 })),
                 refused);
        Running secured([&](HttpOptions& options) {
            everywhere(options);
            options.tokens = bookOf({"secret"});
        });
        QCOMPARE(kind(secured), -1);
        QVERIFY(!secured.server.isInsecure());
        TlsClient client(secured.tlsPort());
        client.send(kJob);
        QCOMPARE(client.replies(1).first().status, 401);
        Running insecure([](HttpOptions& options) {
            options.listen = u"0.0.0.0:0"_s;
            options.insecureListen = true;
        });
        QCOMPARE(kind(insecure), -1);
        QVERIFY(insecure.server.isInsecure());
    }

    void closesASurplusConnection()
    {
        Running running([](HttpOptions& options) { options.limits.connections = 1; });
        TlsClient first(running.tlsPort());
        QVERIFY(first.isConnected());
        QVERIFY(!TlsClient(running.tlsPort()).isConnected());
        QCOMPARE(running.server.figures().surplusConnections, 1U);
        first.send(kHealth);
        QCOMPARE(first.replies(1).size(), 1);
    }

    void stopsWithAHandshakeUnderWay()
    {
        Running running;
        SocketClient silent(running.tlsPort());
        TlsClient idle(running.tlsPort());
        COMES_TRUE(running.server.figures().openConnections == 2U);
        running.server.stop();
        QVERIFY(silent.isClosed());
        QVERIFY(idle.replies(1).isEmpty());
    }
};

QTEST_GUILESS_MAIN(TlsListenerTest)
#include "tls_listener_test.moc"
