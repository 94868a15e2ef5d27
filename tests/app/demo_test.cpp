#include "app/demo/demo_archive.h"
#include "app/demo/demo_endpoints.h"
#include "app/demo/demo_files.h"
#include "app/demo/demo_mailbox.h"
#include "app/demo/demo_settings.h"
#include "core/base/line_reader.h"
#include "core/deadletter/archive_folder.h"
#include "core/domain/archive_line.h"
#include "core/jobs/process_file_handler.h"
#include "core/jobs/send_email_handler.h"
#include "core/net/signer.h"

#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

using namespace redrive;

class DemoTest : public QObject
{
    Q_OBJECT

    QNetworkAccessManager m_network;

    int statusOf(const Receiver& receiver, const QString& endpoint, const HeaderFields& fields = {})
    {
        QNetworkRequest request(QUrl(demoEndpointUrl(receiver, endpoint)));
        for (const auto& [name, value] : fields)
            request.setRawHeader(name, value);
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
        const auto started = startDemoReceiver();
        QVERIFY(started);
        const Receiver& receiver = **started;
        const qint64 now = QDateTime::currentSecsSinceEpoch();
        const QByteArray signature =
            webhookSignature({*parseSigningSecret(demoSecret())}, "msg_1", now, "{}");
        QCOMPARE(statusOf(receiver, u"good"_s,
                          {{"webhook-id", "msg_1"},
                           {"webhook-timestamp", QByteArray::number(now)},
                           {"webhook-signature", signature}}),
                 200);
        QCOMPARE(statusOf(receiver, u"good"_s), 401);
        QCOMPARE(statusOf(receiver, u"dead"_s), 500);
        QCOMPARE(statusOf(receiver, u"dead"_s), 500);
        QCOMPARE(statusOf(receiver, u"flaky"_s, {{"webhook-id", "a"}}), 503);
        QCOMPARE(statusOf(receiver, u"flaky"_s, {{"webhook-id", "a"}}), 200);
        QCOMPARE(statusOf(receiver, u"slow"_s), 200);
    }

    void settingsAreComplete()
    {
        const Settings settings = demoSettings({[](const QString& id) { return u"http://127.0.0.1/"_s + id; },
                                                u"smtp://127.0.0.1"_s, u"/srv/files"_s, u"/srv/archive"_s});
        QVERIFY(settings.secrets.contains(settings.archive.s3->accessKeySecret));
        QVERIFY(settings.secrets.contains(settings.archive.s3->secretKeySecret));
        QCOMPARE(settings.endpoints.size(), demoEndpoints().size());
        for (const HandlerSettings& handler : settings.handlers)
            QVERIFY(handler.queue.isEmpty() || settings.consumer(handler.queue));
        for (const ConsumerSettings& consumer : settings.consumers)
            QVERIFY(consumer.deadLetterQueue.isEmpty() || settings.consumer(consumer.deadLetterQueue));
        QVERIFY(settings.consumer(settings.telemetryQueue));
        QVERIFY(!settings.secrets.value(settings.ingestTokenSecret).isEmpty());
        for (const EndpointSettings& endpoint : settings.endpoints)
            for (const QString& secret : endpoint.secrets)
                QVERIFY(settings.secrets.contains(secret));
    }

    void theArchiveHoldsLettersThatCanBeImported()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"archive"_s);
        const qint64 nowMs = QDateTime::currentMSecsSinceEpoch();
        QVERIFY(writeDemoArchive(path, nowMs).has_value());
        const ArchiveFolder archive(path);
        const auto files = archive.files();
        QCOMPARE(files.size(), 4);
        QCOMPARE(files.last().name, ArchiveFolder::fileName(nowMs - kDayMs));
        for (const ArchiveFile& file : files) {
            QFile packed(archive.pathOf(file.name));
            QVERIFY(packed.open(QIODevice::ReadOnly));
            UnpackedText text(packed);
            LineReader lines(text, kMostLineBytes);
            int letters = 0;
            for (LineReader::Line line; lines.next(line).value_or(false); ++letters) {
                const auto letter = readArchiveLine(line.text);
                QVERIFY2(letter, letter ? "" : qPrintable(letter.error().text()));
                QVERIFY(letter->job && letter->deadAtMs < file.dayMs);
            }
            QVERIFY(letters >= 6);
        }
    }

    void theBucketTakesEveryFile()
    {
        const auto started = startDemoReceiver();
        QVERIFY(started);
        QCOMPARE(statusOf(**started, u"bucket/letters/demo/letters-2031-05-02.ndjson.gz"_s), 200);
    }

    void mailIsTakenPutOffAndRefused()
    {
        QThread thread; // the handler blocks this one
        auto* mailbox = new DemoMailbox;
        QVERIFY(mailbox->listen().has_value());
        connect(&thread, &QThread::finished, mailbox, &QObject::deleteLater);
        Settings settings;
        settings.smtpUrl = mailbox->url();
        settings.smtpFrom = u"shop@example.org"_s;
        mailbox->moveToThread(&thread);
        thread.start();
        const SystemClock clock;
        SendEmailHandler handler(settings, clock);
        const auto send = [&](const QByteArray& to) {
            ClaimedJob job;
            job.payload = "{\"to\":\"" + to + "@example.org\",\"subject\":\"s\",\"text\":\"x\"}";
            return handler.run(job, StopSignal()).result;
        };
        const QList<HandlerResult> results{send("reader"), send("busy-1"), send("busy-1"), send("gone-1")};
        thread.quit();
        thread.wait();
        QCOMPARE(results, (QList<HandlerResult>{HandlerResult::Done, HandlerResult::Transient,
                                                HandlerResult::Done, HandlerResult::Permanent}));
    }

    void filesAreWhatTheTrafficNames()
    {
        QTemporaryDir folder;
        QVERIFY(writeDemoFiles(folder.path()).has_value());
        Settings settings = demoSettings({[](const QString& id) { return id; }, {}, folder.path()});
        ProcessFileHandler handler(settings);
        const auto run = [&](const QByteArray& payload) {
            ClaimedJob job;
            job.payload = payload;
            return handler.run(job, StopSignal());
        };
        QCOMPARE(run(R"({"path":"prices.csv"})").result, HandlerResult::Done);
        const HandlerOutcome counted = run(R"({"path":"stock.csv","command":"count"})");
        QCOMPARE(counted.result, HandlerResult::Done);
        QVERIFY2(counted.content.startsWith("5 "), counted.content);
        QCOMPARE(run(R"({"path":"inbox"})").result, HandlerResult::Permanent);
    }
};

QTEST_GUILESS_MAIN(DemoTest)
#include "demo_test.moc"
