// `kill -9` at random moments under load, again and again: nothing acknowledged is lost, nothing runs that
// was not sent, nothing runs twice but what was in flight, and orphans run again within two seconds of a
// restart. REDRIVE_SEED repeats a run, REDRIVE_KILLS makes it longer.
#include "tests/integration/crash/crash_oracle.h"
#include "tests/integration/crash/load.h"
#include "tests/integration/serve_process.h"
#include "tests/support/http_receiver.h"

#include <QDateTime>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>

#include <csignal>

using namespace redrive;
using namespace redrive::test;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kConnections = 6;
constexpr int kJobsPerSecond = 300;
constexpr int kEndpoints = 5;
constexpr qint64 kReturnMs = 2'000;
constexpr int kDrainMs = 60'000;

int fromEnvironment(const char* name, int otherwise)
{
    bool ok = false;
    const int value = qEnvironmentVariableIntValue(name, &ok);
    return ok ? value : otherwise;
}

// By number: seven of twenty are fan-outs to one endpoint, five are programs, the rest fan-outs to nobody.
QByteArray typeOf(int number)
{
    switch (number % 20) {
    case 0:
    case 7:
        return "quick";
    case 3:
    case 13:
        return "moment";
    case 17:
        return "flaky";
    default:
        return "webhook_fanout";
    }
}

QByteArray payloadOf(int number, const QByteArray& hook)
{
    const QByteArray n = QByteArray::number(number);
    if (typeOf(number) != "webhook_fanout")
        return R"({"n":)" + n + R"(, "big": 18446744073709551615})";
    const QByteArray endpoints = number % 2 == 0 ? QByteArray()
                                                 : R"({"id":"e)" + QByteArray::number(number % kEndpoints) +
                                                       R"(","url":")" + hook + R"("})";
    return R"({"eventType":"load.made","eventData":{"n":)" + n + R"(},"endpoints":[)" + endpoints + "]}";
}

QString slowest(const std::vector<qint64>& sorted)
{
    return sorted.empty() ? u"none"_s
                          : u"%1 measured, median %2 ms, slowest %3 ms"_s.arg(sorted.size())
                                .arg(sorted[sorted.size() / 2])
                                .arg(sorted.back());
}

} // namespace

class CrashTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    QString path(const QString& name) const { return m_folder.filePath(name); }

    void configure() const
    {
        QByteArray text = "[[queues.producers]]\nbinding = \"JOBS\"\nqueue = \"jobs\"\n"
                          "[[queues.consumers]]\nqueue = \"jobs\"\nmax_batch_timeout = 0.1\nmax_retries = 3\n"
                          "dead_letter_queue = \"jobs-dlq\"\n"
                          "[redrive.backoff]\nbase = 1\n";
        for (const char* type : {"quick", "moment", "flaky"})
            text += QByteArray("[redrive.handlers.") + type +
                    "]\ncommand = [\"/bin/sh\", \"" RECORD_RUN "\", \"" + path(u"runs"_s).toUtf8() +
                    "\", \"" + type + "\"]\n";
        QFile file(path(u"wrangler.toml"_s));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    }

    qint64 openWork() const
    {
        const auto db = Connection::open({path(u"data/redrive.db"_s)}, Access::Reader);
        auto query = (*db)->dynamicQuery(
            u"SELECT (SELECT count(*) FROM jobs WHERE status IN ('pending', 'processing')) + (SELECT "
            u"count(*) "
            "FROM webhook_deliveries WHERE status IN ('pending', 'sending', 'failed'))"_s);
        return query.next() ? query.int64(0) : -1;
    }

    // The judge itself: it must notice a job that is gone, a run too many and an arrival too many.
    void seesWhatIsWrong(const CrashOracle& oracle, std::vector<ReceivedRequest> arrivals) const
    {
        const auto db = Connection::open({path(u"data/redrive.db"_s)}, Access::Writer);
        const auto acknowledged = LoadLedger::read(path(u"ledger"_s)).acknowledged;
        auto gone = acknowledged.cbegin();
        while (typeOf(gone.key()) != "quick")
            ++gone;
        QVERIFY((*db)->execute(u"DELETE FROM jobs WHERE id = '%1'"_s.arg(gone.value())));
        QFile runs(path(u"runs"_s));
        QVERIFY(runs.open(QIODevice::ReadWrite));
        const QByteArray line = runs.readLine();
        runs.seek(runs.size());
        runs.write(line);
        arrivals.push_back({});
        runs.close();
        const CrashReport report = oracle.report(arrivals);
        QCOMPARE(report.lost.size(), 1);
        QCOMPARE(report.twice.size(), 1);
        QVERIFY(report.unexpected.size() >= 2); // the runs of the job that is gone, and the arrival
        QVERIFY(
            (*db)->execute(u"UPDATE jobs SET status = 'processing' WHERE id = (SELECT min(id) FROM jobs)"_s));
        QCOMPARE(oracle.brokenRules().size(), 2); // no message, no claim
    }

private Q_SLOTS:
    void losesNothingHoweverOftenItIsKilled()
    {
        const int kills = fromEnvironment("REDRIVE_KILLS", 60);
        const int seed =
            fromEnvironment("REDRIVE_SEED", QRandomGenerator::global()->bounded(1, 1'000'000'000));
        qInfo("REDRIVE_SEED=%d", seed);
        QRandomGenerator random{quint32(seed)};
        configure();
        HttpReceiver receiver;
        const QByteArray hook = receiver.url().toUtf8();
        const CrashFiles files{path(u"data/redrive.db"_s), path(u"ledger"_s), path(u"runs"_s)};
        CrashOracle oracle(files, [&](int number) { return payloadOf(number, hook); });
        LoadLedger ledger(files.ledger);
        Load load(ledger, kConnections, kJobsPerSecond, Load::job([&](int number) {
                      return R"({"type":")" + typeOf(number) + R"(","payload":)" + payloadOf(number, hook) +
                             '}';
                  }));

        ServeProcess serve(m_folder.path());
        for (int kill = 0; kill < kills; ++kill) {
            QVERIFY2(serve.start(), serve.log().right(2'000).constData());
            load.setPort(quint16(QUrl(serve.url()).port()));
            QVERIFY2(!serve.exitWithin(random.bounded(5, 801)), "it ended by itself");
            QVERIFY(serve.isRunning());
            load.setPort(0);
            serve.killNow();
            oracle.lived(serve.listenedAtMs(), QDateTime::currentMSecsSinceEpoch());
            QCOMPARE(oracle.brokenRules(), QStringList());
            if (kill % 6 == 5) { // and once more before it listens
                serve.spawn();
                (void)serve.exitWithin(random.bounded(1, 120));
                serve.killNow();
                oracle.lived(0, QDateTime::currentMSecsSinceEpoch());
                QCOMPARE(oracle.brokenRules(), QStringList());
            }
        }

        QVERIFY(serve.start());
        load.setPort(quint16(QUrl(serve.url()).port()));
        load.end();
        QTRY_COMPARE_WITH_TIMEOUT(openWork(), 0, kDrainMs);
        serve.signal(SIGTERM);
        QCOMPARE(serve.exitWithin(30'000), std::optional(0));
        oracle.lived(serve.listenedAtMs(), QDateTime::currentMSecsSinceEpoch());

        QCOMPARE(oracle.brokenRules(), QStringList());
        const CrashReport report = oracle.report(receiver.arrivals());
        qInfo("%d kills, %d jobs, %d acknowledged, %d unknown but present, %d dead after three crashes",
              kills, report.jobs, report.acknowledged, report.unknownButPresent, report.crashedLetters);
        qInfo("jobs: %d in flight at the kills, %d run again; deliveries: %d in flight, %d sent again",
              report.jobsInFlight, report.jobDuplicates, report.deliveriesInFlight,
              report.deliveryDuplicates);
        qInfo("orphans back: jobs %s; deliveries %s", qPrintable(slowest(report.jobReturnMs)),
              qPrintable(slowest(report.deliveryReturnMs)));
        QCOMPARE(report.lost, QStringList());
        QCOMPARE(report.unexpected, QStringList());
        QCOMPARE(report.changed, QStringList());
        QCOMPARE(report.twice, QStringList());
        QVERIFY(report.acknowledged > 20 * kills);
        QVERIFY(report.jobsInFlight > 0 && report.deliveriesInFlight > 0);
        QVERIFY(report.jobDuplicates <= report.jobsInFlight);
        QVERIFY(report.deliveryDuplicates <= report.deliveriesInFlight);
        QVERIFY(!report.jobReturnMs.empty() && report.jobReturnMs.back() <= kReturnMs);
        QVERIFY(report.deliveryReturnMs.empty() || report.deliveryReturnMs.back() <= kReturnMs);
        seesWhatIsWrong(oracle, receiver.arrivals());
    }
};

QTEST_GUILESS_MAIN(CrashTest)
#include "crash_test.moc"
