// Twenty times `redrive serve` is asked to stop by a signal, idle, at work and twice: what runs may end, what
// has not begun is given back, and no attempt is spent on either.
#include "core/db/connection.h"
#include "tests/integration/serve_process.h"
#include "tests/support/plain_client.h"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <functional>
#include <sys/stat.h>
#include <unistd.h>

using namespace redrive;
using namespace redrive::test;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kIdleMs = 500;     // from the signal to the end of an idle engine
constexpr int kForcedMs = 1'000; // from the second signal
constexpr int kRefusesMs = 500;  // until new requests are refused
constexpr int kPatienceMs = 30'000;

} // namespace

class DrainTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<ServeProcess> m_serve;

    QString path(const QString& name) const { return m_folder->filePath(name); }
    PlainClient client() const { return PlainClient(m_serve->url()); }

    QString submit() const
    {
        const PlainAnswer answer = client().post("/jobs", R"({"type":"gate","payload":{}})");
        return QJsonDocument::fromJson(answer.body)[u"jobId"_s].toString();
    }

    // One line of text columns, read beside the engine or after it.
    QString stored(const QString& statement) const
    {
        const auto db = Connection::open({m_serve->databasePath()}, Access::Reader);
        auto query = (*db)->dynamicQuery(statement);
        return query.next() ? query.text(0) : QString();
    }
    QString job(const QString& id) const
    {
        return stored(
            u"SELECT status || ' ' || attempts || ' ' || (SELECT count(*) FROM job_attempts a WHERE "
            "a.job_id = j.id) FROM jobs j WHERE id = '%1'"_s.arg(id));
    }
    QString message(const QString& id) const
    {
        return stored(
            u"SELECT attempts || ' ' || crashes || ' ' || (lease_instance IS NULL) FROM messages WHERE id = '%1'"_s
                .arg(id));
    }

    QByteArrayList begun() const
    {
        QFile file(path(u"runs"_s));
        return file.open(QIODevice::ReadOnly) ? file.readAll().split('\n') : QByteArrayList();
    }
    bool hasBegun(const QString& id, int attempt) const
    {
        return begun().contains(id.toLatin1() + ' ' + QByteArray::number(attempt));
    }

    // Opens the gate until the job is through. False when it is not in time.
    bool letThrough(const std::function<bool()>& isThrough) const
    {
        return QTest::qWaitFor(
            [&] {
                if (isThrough())
                    return true;
                const int gate =
                    ::open(QFile::encodeName(path(u"gate"_s)).constData(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
                if (gate >= 0) { // somebody waits there
                    (void)!::write(gate, "go\n", 3);
                    ::close(gate);
                }
                return false;
            },
            kPatienceMs);
    }

    void verifyRefusesNewRequests() const
    {
        QElapsedTimer timer;
        timer.start();
        PlainAnswer answer;
        QTRY_COMPARE_WITH_TIMEOUT((answer = client().post("/jobs", R"({"type":"none","payload":1})")).status,
                                  503, kPatienceMs);
        QVERIFY2(timer.elapsed() <= kRefusesMs, qPrintable(QString::number(timer.elapsed())));
        QVERIFY2(answer.head.contains("Connection: close"), answer.head);
        QVERIFY2(answer.head.contains("Retry-After: 5"), answer.head);
        QVERIFY2(answer.body.contains("\"code\":\"shutting_down\""), answer.body);
        QVERIFY(m_serve->isRunning());
    }

    void verifyEndedCleanly() const
    {
        QCOMPARE(stored(u"SELECT count(*) FROM instances WHERE ended_at_ms IS NULL"_s), u"0"_s);
        QCOMPARE(stored(u"SELECT count(*) FROM messages WHERE lease_instance IS NOT NULL"_s), u"0"_s);
        QCOMPARE(stored(u"SELECT count(*) FROM job_attempts WHERE outcome = 'crashed'"_s), u"0"_s);
    }

    // Signals the idle engine and waits for its end.
    void endIdle(int number) const
    {
        QElapsedTimer timer;
        timer.start();
        m_serve->signal(number);
        QCOMPARE(m_serve->exitWithin(kPatienceMs), std::optional(0));
        QVERIFY2(timer.elapsed() <= kIdleMs, qPrintable(QString::number(timer.elapsed())));
        verifyEndedCleanly();
    }

    // In a new life they run, each in its first attempt.
    void runRest(const QStringList& ids) const
    {
        QVERIFY(m_serve->start());
        for (const QString& id : ids) {
            const bool isDone = letThrough([&] { return job(id) == u"done 1 1"_s; });
            QVERIFY2(isDone, qPrintable(job(id)));
        }
        endIdle(SIGTERM);
    }

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QCOMPARE(::mkfifo(QFile::encodeName(path(u"gate"_s)).constData(), 0600), 0);
        QFile file(path(u"wrangler.toml"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("[[queues.producers]]\nbinding = \"JOBS\"\nqueue = \"jobs\"\n"
                   "[[queues.consumers]]\nqueue = \"jobs\"\nmax_batch_timeout = 0\nmax_retries = 0\n"
                   "[redrive.handlers.gate]\nconcurrency = 1\ncommand = [\"/bin/sh\", \"" GATE "\", \"" +
                   path(u"runs"_s).toUtf8() + "\", \"" + path(u"gate"_s).toUtf8() + "\"]\n");
        file.close();
        m_serve = std::make_unique<ServeProcess>(m_folder->path());
    }
    void cleanup()
    {
        m_serve.reset();
        m_folder.reset();
    }

    void endsAtOnceWhenIdle_data()
    {
        QTest::addColumn<int>("number");
        QTest::addColumn<int>("rounds");
        QTest::newRow("SIGTERM") << SIGTERM << 4;
        QTest::newRow("SIGHUP") << SIGHUP << 2;
        QTest::newRow("SIGINT") << SIGINT << 2;
    }
    void endsAtOnceWhenIdle()
    {
        QFETCH(int, number);
        QFETCH(int, rounds);
        for (int round = 0; round < rounds; ++round) {
            QVERIFY2(m_serve->start(), m_serve->log().right(2'000).constData());
            endIdle(number);
        }
    }

    void letsRunningJobsEndAndGivesTheRestBack_data()
    {
        QTest::addColumn<int>("number");
        QTest::addColumn<int>("rounds");
        QTest::newRow("SIGTERM") << SIGTERM << 4;
        QTest::newRow("SIGHUP") << SIGHUP << 3;
        QTest::newRow("SIGINT") << SIGINT << 1;
    }
    void letsRunningJobsEndAndGivesTheRestBack()
    {
        QFETCH(int, number);
        QFETCH(int, rounds);
        for (int round = 0; round < rounds; ++round) {
            QVERIFY(m_serve->start());
            const QStringList ids{submit(), submit(), submit()};
            QTRY_VERIFY(hasBegun(ids[0], 1));
            m_serve->signal(number);
            verifyRefusesNewRequests();
            QVERIFY(letThrough([&] { return !m_serve->isRunning() || m_serve->exitWithin(0).has_value(); }));
            QCOMPARE(m_serve->exitWithin(kPatienceMs), std::optional(0));
            verifyEndedCleanly();
            QCOMPARE(job(ids[0]), u"done 1 1"_s);
            for (const QString& id : ids.mid(1)) {
                QCOMPARE(job(id), u"pending 0 0"_s);
                QCOMPARE(message(id), u"0 0 1"_s);
            }
            runRest(ids.mid(1));
        }
    }

    void isForcedByASecondSignal_data()
    {
        QTest::addColumn<int>("first");
        QTest::addColumn<int>("second");
        QTest::newRow("SIGTERM twice") << SIGTERM << SIGTERM;
        QTest::newRow("SIGHUP twice") << SIGHUP << SIGHUP;
        QTest::newRow("SIGTERM, then SIGINT") << SIGTERM << SIGINT;
        QTest::newRow("SIGHUP, then SIGTERM") << SIGHUP << SIGTERM;
    }
    void isForcedByASecondSignal()
    {
        QFETCH(int, first);
        QFETCH(int, second);
        QVERIFY(m_serve->start());
        const QStringList ids{submit(), submit()};
        QTRY_VERIFY(hasBegun(ids[0], 1));
        m_serve->signal(first);
        verifyRefusesNewRequests();
        QElapsedTimer timer;
        timer.start();
        m_serve->signal(second);
        QCOMPARE(m_serve->exitWithin(kPatienceMs), std::optional(0));
        const qint64 tookMs = timer.elapsed();
        QVERIFY2(tookMs <= kForcedMs,
                 (QByteArray::number(tookMs) + "\n" + m_serve->log().right(3'000)).constData());
        verifyEndedCleanly();
        for (const QString& id : ids) {
            QCOMPARE(job(id), u"pending 0 0"_s);
            QCOMPARE(message(id), u"0 0 1"_s);
        }
        runRest(ids);
    }
};

QTEST_GUILESS_MAIN(DrainTest)
#include "drain_test.moc"
