// Power cuts under a whole engine, again and again: what was acknowledged is there, no file is corrupt, the
// next engine opens it without help. REDRIVE_SEED repeats a run, REDRIVE_CUTS makes it longer.
#include "core/db/migrator.h"
#include "tests/integration/crash/crash_oracle.h"
#include "tests/integration/crash/load.h"
#include "tests/integration/serve_process.h"

#include <QDateTime>
#include <QDir>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>

#include <csignal>

using namespace redrive;
using namespace redrive::test;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kConnections = 8;
constexpr int kJobsPerSecond = 1'000;
constexpr int kOperationsOfAStart = 150;
constexpr int kMostOperations = 1'500;
constexpr int kCutMs = 30'000;
constexpr int kDrainMs = 60'000;

int fromEnvironment(const char* name, int otherwise)
{
    bool ok = false;
    const int value = qEnvironmentVariableIntValue(name, &ok);
    return ok ? value : otherwise;
}

// One of ten is a program, the others are fan-outs to nobody, done within the turn.
QByteArray typeOf(int number)
{
    return number % 10 == 0 ? "quick" : "webhook_fanout";
}

QByteArray payloadOf(int number)
{
    const QByteArray n = QByteArray::number(number);
    return typeOf(number) == "quick"
               ? R"({"n":)" + n + '}'
               : R"({"eventType":"load.made","eventData":{"n":)" + n + R"(},"endpoints":[]})";
}

// One folder with an engine, a load and the disk below them.
class PowerCuts final
{
public:
    explicit PowerCuts(int seed, const QString& forgets = {})
        : m_random(quint32(seed)), m_serve(m_folder.path()), m_ledger(path(u"ledger"_s)),
          m_load(m_ledger, kConnections, kJobsPerSecond, Load::job([](int number) {
                     return R"({"type":")" + typeOf(number) + R"(","payload":)" + payloadOf(number) + '}';
                 })),
          m_oracle({path(u"data/redrive.db"_s), path(u"ledger"_s), path(u"runs"_s)}, payloadOf)
    {
        QDir().mkpath(path(u"left"_s));
        write(
            u"wrangler.toml"_s,
            "[[queues.producers]]\nbinding = \"JOBS\"\nqueue = \"jobs\"\n"
            "[[queues.consumers]]\nqueue = \"jobs\"\nmax_batch_timeout = 0.05\ndead_letter_queue = \"dead\"\n"
            "[redrive.handlers.quick]\ncommand = [\"/bin/sh\", \"" RECORD_RUN "\", \"" +
                path(u"runs"_s).toUtf8() + "\", \"quick\"]\n");
        write(u"runs"_s, {});
        m_serve.setVariable(u"REDRIVE_CUT_FOLDER"_s, path(u"left"_s));
        m_serve.setVariable(u"REDRIVE_CUT_FORGETS"_s, forgets);
    }

    // One life until its power is cut; false when it ended otherwise.
    bool live()
    {
        const bool early = m_random.bounded(5) == 0;
        const int operations = early ? m_random.bounded(1, kOperationsOfAStart)
                                     : m_random.bounded(kOperationsOfAStart, kMostOperations);
        m_serve.setVariable(u"LD_PRELOAD"_s, QStringLiteral(POWER_LOSS));
        m_serve.setVariable(u"REDRIVE_CUT_AFTER"_s, QString::number(operations));
        m_serve.setVariable(u"REDRIVE_CUT_SEED"_s, QString::number(m_random.bounded(1, 1'000'000)));
        if (m_serve.start())
            m_load.setPort(quint16(QUrl(m_serve.url()).port()));
        const bool ended = !m_serve.exitWithin(kCutMs) && !m_serve.isRunning();
        m_load.setPort(0);
        return ended;
    }

    // What the disk held becomes the data folder's.
    void putLeftFilesInPlace() const
    {
        for (const QString& name : {u"redrive.db"_s, u"redrive.db-wal"_s, u"redrive.db-shm"_s}) {
            QFile::remove(path(u"data/"_s + name));
            QFile::rename(path(u"left/"_s + name), path(u"data/"_s + name));
        }
    }

    // Opens a copy as an engine would; empty: sound.
    QString damage() const
    {
        const QTemporaryDir folder;
        const DatabaseTarget copy{folder.filePath(u"redrive.db"_s)};
        if (!QFile::copy(path(u"data/redrive.db"_s), copy.path))
            return {}; // cut before there was any
        QFile::copy(path(u"data/redrive.db-wal"_s), copy.path + u"-wal"_s);
        const auto db = openStore(copy, Access::Writer);
        if (!db)
            return db.error().text();
        auto check = (*db)->dynamicQuery(u"PRAGMA integrity_check"_s);
        const QString found = check.next() ? check.text(0) : check.status().error().text();
        return found == u"ok" ? QString() : found;
    }

    // Acknowledged jobs that are not there.
    int lost() const
    {
        const auto acknowledged = LoadLedger::read(path(u"ledger"_s)).acknowledged;
        QSet<QString> there;
        if (const auto db = Connection::open({path(u"data/redrive.db"_s)}, Access::Reader)) {
            auto jobs = (*db)->dynamicQuery(u"SELECT id FROM jobs"_s);
            while (jobs.next())
                there.insert(jobs.text(0));
        }
        return int(std::count_if(acknowledged.cbegin(), acknowledged.cend(),
                                 [&](const QString& id) { return !there.contains(id); }));
    }

    int acknowledged() const { return int(LoadLedger::read(path(u"ledger"_s)).acknowledged.size()); }

    QStringList brokenRules() const
    {
        return QFile::exists(path(u"data/redrive.db"_s)) && acknowledged() > 0 ? m_oracle.brokenRules()
                                                                               : QStringList();
    }

    // A life on a real disk until nothing is left to do.
    CrashReport drain()
    {
        m_serve.setVariable(u"LD_PRELOAD"_s, {});
        m_serve.setVariable(u"REDRIVE_CUT_AFTER"_s, {});
        if (!m_serve.start())
            qFatal("%s", m_serve.log().right(2'000).constData());
        m_load.setPort(quint16(QUrl(m_serve.url()).port()));
        m_load.end();
        [&] { QTRY_COMPARE_WITH_TIMEOUT(openJobs(), 0, kDrainMs); }();
        m_serve.signal(SIGTERM);
        (void)m_serve.exitWithin(kCutMs);
        return m_oracle.report({});
    }

    QByteArray log() const { return m_serve.log().right(2'000); }

private:
    QString path(const QString& name) const { return m_folder.filePath(name); }

    void write(const QString& name, const QByteArray& text) const
    {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("%s cannot be written", qPrintable(name));
    }

    qint64 openJobs() const
    {
        const auto db = Connection::open({path(u"data/redrive.db"_s)}, Access::Reader);
        auto query =
            (*db)->dynamicQuery(u"SELECT count(*) FROM jobs WHERE status IN ('pending', 'processing')"_s);
        return query.next() ? query.int64(0) : -1;
    }

    QTemporaryDir m_folder;
    QRandomGenerator m_random;
    ServeProcess m_serve;
    LoadLedger m_ledger;
    Load m_load;
    CrashOracle m_oracle;
};

} // namespace

class PowerLossTest : public QObject
{
    Q_OBJECT

    static int seed()
    {
        const int seed =
            fromEnvironment("REDRIVE_SEED", QRandomGenerator::global()->bounded(1, 1'000'000'000));
        qInfo("REDRIVE_SEED=%d", seed);
        return seed;
    }

private Q_SLOTS:
    void losesNothingHoweverOftenThePowerIsCut()
    {
        const int cuts = fromEnvironment("REDRIVE_CUTS", 100);
        PowerCuts disk(seed());
        for (int cut = 0; cut < cuts; ++cut) {
            QVERIFY2(disk.live(), disk.log());
            disk.putLeftFilesInPlace();
            QCOMPARE(disk.damage(), QString());
            QCOMPARE(disk.lost(), 0);
            QCOMPARE(disk.brokenRules(), QStringList());
        }
        const int acknowledged = disk.acknowledged();
        const CrashReport report = disk.drain();
        qInfo("%d cuts, %d jobs acknowledged before them, %d unknown but present", cuts, acknowledged,
              report.unknownButPresent);
        QCOMPARE(report.lost, QStringList());
        QCOMPARE(report.unexpected, QStringList());
        QCOMPARE(report.changed, QStringList());
        QCOMPARE(report.twice, QStringList());
        QVERIFY(acknowledged > 10 * cuts);
    }

    // The test itself: a disk whose syncs are lies loses what was acknowledged, and this is seen.
    void seesADiskThatLies_data()
    {
        QTest::addColumn<QString>("forgets");
        QTest::newRow("syncs of the log") << u"log"_s;
        QTest::newRow("all syncs") << u"all"_s;
    }
    void seesADiskThatLies()
    {
        QFETCH(QString, forgets);
        const int first = seed();
        int wrong = 0;
        for (int cut = 0; cut < 10 && wrong == 0; ++cut) {
            PowerCuts disk(first + cut, forgets);
            QVERIFY2(disk.live(), disk.log());
            disk.putLeftFilesInPlace();
            wrong += disk.lost() + (disk.damage().isEmpty() ? 0 : 1);
        }
        QVERIFY(wrong > 0);
    }
};

QTEST_GUILESS_MAIN(PowerLossTest)
#include "power_loss_test.moc"
