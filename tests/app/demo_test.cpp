#include "app/demo/demo_receiver.h"
#include "app/demo/demo_settings.h"

#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QSignalSpy>
#include <QTest>

using namespace redrive;

class DemoTest : public QObject
{
    Q_OBJECT

    QNetworkAccessManager m_network;

    int statusOf(const DemoReceiver& receiver, const QString& endpoint)
    {
        QNetworkRequest request(QUrl(receiver.url(endpoint)));
        request.setHeader(QNetworkRequest::ContentTypeHeader, u"application/json"_s);
        const std::unique_ptr<QNetworkReply> reply(m_network.post(request, QByteArrayLiteral("{}")));
        QSignalSpy finished(reply.get(), &QNetworkReply::finished);
        if (!reply->isFinished() && !finished.wait(30'000))
            return -1;
        return reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    }

private Q_SLOTS:
    void endpointsBehaveAsTheyAreNamed()
    {
        DemoReceiver receiver;
        QVERIFY(receiver.listen().has_value());
        QCOMPARE(statusOf(receiver, u"good"_s), 200);
        QCOMPARE(statusOf(receiver, u"dead"_s), 500);
        QCOMPARE(statusOf(receiver, u"dead"_s), 500);
        QCOMPARE(statusOf(receiver, u"flaky"_s), 503);
        QCOMPARE(statusOf(receiver, u"flaky"_s), 200);
        QCOMPARE(statusOf(receiver, u"slow"_s), 200);
    }

    void settingsAreComplete()
    {
        const Settings settings = demoSettings([](const QString& id) { return u"http://127.0.0.1/"_s + id; });
        QCOMPARE(settings.endpoints.size(), demoEndpoints().size());
        for (const HandlerSettings& handler : settings.handlers)
            QVERIFY(handler.queue.isEmpty() || settings.consumer(handler.queue));
        for (const ConsumerSettings& consumer : settings.consumers)
            QVERIFY(consumer.deadLetterQueue.isEmpty() || settings.consumer(consumer.deadLetterQueue));
        for (const EndpointSettings& endpoint : settings.endpoints)
            for (const QString& secret : endpoint.secrets)
                QVERIFY(settings.secrets.contains(secret));
    }
};

QTEST_GUILESS_MAIN(DemoTest)
#include "demo_test.moc"
