// The receiver's certificates, and what a client and the engine's sender make of them.
#include "core/receiver/made_certificate.h"
#include "core/receiver/receiver.h"
#include "tests/intake/tls_client.h"
#include "tests/net/sender_harness.h"

#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace redrive;
using namespace redrive::test;

class ReceiverTlsTest : public QObject
{
    Q_OBJECT

    struct Started
    {
        std::unique_ptr<Receiver> receiver;
        QByteArray certificate;
    };

    static Started startWith(const CertificateWish& wish)
    {
        const auto made = makeCertificate(wish);
        ReceiverOptions options;
        options.tls = *TlsContext::ofPem(made->certificate, made->key);
        options.desk.certificate = made->certificate;
        return {std::move(*Receiver::start(std::move(options))), made->certificate};
    }

private Q_SLOTS:
    void initTestCase() { std::signal(SIGPIPE, SIG_IGN); } // as the program does

    void servesTlsAndHandsOutItsCertificate()
    {
        const Started started = startWith({});
        QVERIFY(started.receiver->url({}).startsWith(u"https://"_s));
        TlsClient client(started.receiver->port());
        QVERIFY(client.isConnected());
        client.send("POST /status/201 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}");
        QCOMPARE(client.replies(1).first().status, 201);
        client.send("GET /_certificate HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        QCOMPARE(client.replies(2).last().body, started.certificate);
        QVERIFY(client.isClosed());
    }

    void whatTheSenderMakesOfThem_data()
    {
        QTest::addColumn<bool>("trusted");
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<qint64>("ends");
        QTest::addColumn<QString>("error");
        const QByteArray own = CertificateWish().name;
        QTest::newRow("trusted") << true << own << 3'600LL << QString();
        QTest::newRow("self-signed") << false << own << 3'600LL << u"tls_failed"_s;
        QTest::newRow("expired") << true << own << -60LL << u"tls_failed"_s;
        QTest::newRow("wrong name") << true << QByteArray("DNS:somebody-else.example") << 3'600LL
                                    << u"tls_failed"_s;
    }
    void whatTheSenderMakesOfThem()
    {
        QFETCH(bool, trusted);
        QFETCH(QByteArray, name);
        QFETCH(qint64, ends);
        const Started started = startWith({name, -3'600, ends});
        QTemporaryDir folder;
        HttpSenderOptions options = SenderHarness::loopbackOptions();
        if (trusted) {
            QFile file(folder.filePath(u"ca.pem"_s));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(started.certificate) > 0);
            options.caFile = file.fileName();
        }
        SenderHarness harness(std::move(options));
        const HttpOutcome outcome = harness.exchange(started.receiver->url(u"/ok"_s));
        QTEST(outcome.errorCode, "error");
        QCOMPARE(started.receiver->desk().arrivals().size(), outcome.errorCode.isEmpty() ? 1 : 0);
    }
};

QTEST_GUILESS_MAIN(ReceiverTlsTest)
#include "receiver_tls_test.moc"
