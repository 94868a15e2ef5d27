#include "core/engine/engine.h"
#include "tests/support/plain_client.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace redrive;

// The job types that Redrive runs itself, from the request to the job's end.
class BuiltInJobsTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<Engine> m_engine;

    QJsonObject ended(const QByteArray& body) const
    {
        const test::PlainClient client(m_engine->health().listenUrl);
        const QByteArray id =
            QJsonDocument::fromJson(client.post("/jobs", body).body)[u"jobId"_s].toString().toUtf8();
        QJsonObject job;
        [&] {
            QTRY_VERIFY_WITH_TIMEOUT(
                (job = QJsonDocument::fromJson(client.get("/jobs/" + id).body).object())[u"status"_s] ==
                        u"done"_s ||
                    job[u"status"_s] == u"dead"_s,
                30'000);
        }();
        return job;
    }

private Q_SLOTS:
    void initTestCase()
    {
        QFile file(m_folder.filePath(u"a.txt"_s));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("hello\n") == 6);
        QVERIFY(mkfifo(QFile::encodeName(m_folder.filePath(u"fifo"_s)).constData(), 0600) == 0);
        EngineOptions options;
        ConsumerSettings consumer;
        consumer.queue = u"jobs"_s;
        consumer.maxBatchTimeoutMs = 0;
        consumer.deadLetterQueue = u"jobs-dlq"_s;
        options.settings.consumers = {consumer};
        options.settings.jobsQueue = u"jobs"_s;
        options.settings.listen = u"127.0.0.1:0"_s;
        options.settings.processFileRoots = {m_folder.path()};
        options.database.path = m_folder.filePath(u"redrive.db"_s);
        auto engine = Engine::start(std::move(options));
        QVERIFY2(engine.has_value(), engine ? "" : qPrintable(engine.error().text()));
        m_engine = std::move(*engine);
    }

    void aFileIsExamined()
    {
        const QJsonObject job = ended(R"({"type":"process_file","payload":{"path":"a.txt"}})");
        QCOMPARE(job[u"status"_s].toString(), u"done"_s);
    }

    void whatIsNoRegularFileIsDeadAtOnce()
    {
        const QJsonObject job = ended(R"({"type":"process_file","payload":{"path":"fifo"}})");
        QCOMPARE(job[u"status"_s].toString(), u"dead"_s);
        QCOMPARE(job[u"attempts"_s].toInt(), 1);
        QCOMPARE(job[u"error"_s].toString(),
                 u"The file is outside the allowed folders or is not a regular file."_s);
        const test::PlainClient client(m_engine->health().listenUrl);
        QCOMPARE(client.post("/jobs", R"({"type":"process_file","payload":{"path":"../x"}})").status, 422);
    }

    void aMailWithoutAServerIsDeadAtOnce()
    {
        const QJsonObject job =
            ended(R"({"type":"send_email","payload":{"to":"a@b.c","subject":"s","text":"t"}})");
        QCOMPARE(job[u"status"_s].toString(), u"dead"_s);
        QCOMPARE(job[u"attempts"_s].toInt(), 1);
        QCOMPARE(job[u"error"_s].toString(), u"there is no mail server: redrive.smtp.url is not set"_s);
    }
};

QTEST_GUILESS_MAIN(BuiltInJobsTest)
#include "built_in_jobs_test.moc"
