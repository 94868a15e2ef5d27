// What /healthz says of an alert target that refuses: a real engine, real posts, a real client.
#include "core/engine/engine.h"
#include "tests/support/http_receiver.h"
#include "tests/support/plain_client.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace redrive;
using namespace redrive::test;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr char kPath[] = "/alerts";
constexpr int kPostedAgainMs = 20'000; // the second attempt comes after 5 s

EngineOptions optionsWith(const QList<AlertTarget>& targets, const QString& database)
{
    ConsumerSettings jobs;
    jobs.queue = u"jobs"_s;
    jobs.maxBatchTimeoutMs = 0;
    jobs.deadLetterQueue = u"jobs-dlq"_s;
    EngineOptions options;
    options.settings.consumers = {jobs};
    options.settings.jobsQueue = jobs.queue;
    options.settings.listen = u"127.0.0.1:0"_s;
    options.settings.alerts.webhooks = targets;
    options.database.path = database;
    return options;
}

QStringList noticesOf(const PlainAnswer& answer)
{
    QStringList notices;
    const QJsonArray told = QJsonDocument::fromJson(answer.body)[u"notices"_s].toArray();
    for (const auto& each : told)
        notices.append(each.toString());
    return notices;
}

} // namespace

class FailingAlertsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void healthzTellsOfATargetThatRefuses()
    {
        const QTemporaryDir folder;
        HttpReceiver receiver;
        receiver.answer(kPath, ReceiverAnswer::status(500, "secret words of theirs"));
        AlertTarget refuses;
        refuses.url = receiver.url(kPath);
        AlertTarget works;
        works.url = receiver.url("/works");
        const auto engine = Engine::start(optionsWith({refuses, works}, folder.filePath(u"redrive.db"_s)));
        QVERIFY2(engine, engine ? "" : qPrintable(engine.error().text()));
        const PlainClient client((*engine)->health().listenUrl);
        QCOMPARE(noticesOf(client.get("/healthz")), QStringList());

        QCOMPARE(client.post("/jobs", R"({"type":"nobody knows it"})").status, 202);
        QVERIFY(receiver.waitForArrivals(1, kPath));
        QTRY_COMPARE(noticesOf(client.get("/healthz")),
                     QStringList{u"alerts: nothing arrives at 1 of the targets"_s});
        const PlainAnswer told = client.get("/healthz");
        QCOMPARE(told.status, 200); // the engine itself is well
        QVERIFY2(!told.body.contains("127.0.0.1") && !told.body.contains("theirs"), told.body); // open to all
        QVERIFY(receiver.waitForArrivals(1, "/works"));

        receiver.answer(kPath, ReceiverAnswer::status(200));
        QTRY_COMPARE_WITH_TIMEOUT(noticesOf(client.get("/healthz")), QStringList(), kPostedAgainMs);
        QCOMPARE(receiver.arrivalCount("/works"), 1);
    }

    void healthzTellsOfATargetThatWasNeverTried()
    {
        const QTemporaryDir folder;
        AlertTarget target;
        target.urlSecret = u"NOT_SET"_s;
        const auto engine = Engine::start(optionsWith({target}, folder.filePath(u"redrive.db"_s)));
        QVERIFY2(engine, engine ? "" : qPrintable(engine.error().text()));
        const PlainClient client((*engine)->health().listenUrl);
        QTRY_COMPARE(noticesOf(client.get("/healthz")),
                     QStringList{u"alerts: nothing arrives at 1 of the targets"_s});
    }
};

QTEST_GUILESS_MAIN(FailingAlertsTest)
#include "failing_alerts_test.moc"
