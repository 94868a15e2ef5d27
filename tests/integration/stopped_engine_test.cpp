// A whole engine is stopped (SIGSTOP) past its lease while it runs a job, another one takes the job over, and
// the first goes on: what it still reports changes nothing, and the job ends once. REDRIVE_ROUNDS makes it
// longer.
#include "core/db/transaction.h"
#include "core/engine/engine.h"
#include "tests/support/plain_client.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <iostream>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace redrive;
using namespace redrive::test;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 kLeaseMs = 1'500;
constexpr int kPatienceMs = 30'000;

// Notes that it has begun, then ends when a line is written into its engine's pipe; the line is the result.
class Gate final : public BlockingHandler
{
public:
    Gate(QString runs, QString pipe) : m_runs(std::move(runs)), m_pipe(std::move(pipe)) {}

    HandlerOutcome run(const ClaimedJob& job, const StopSignal&) override
    {
        QFile runs(m_runs);
        if (runs.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered))
            runs.write(job.id.toLatin1() + ' ' + QByteArray::number(job.attempt) + '\n');
        QFile pipe(m_pipe);
        HandlerOutcome outcome;
        if (pipe.open(QIODevice::ReadOnly))
            outcome.content = '"' + pipe.readAll().trimmed() + '"';
        return outcome;
    }

private:
    QString m_runs;
    QString m_pipe;
};

// This program as an engine, until its standard input ends: engine DATABASE RUNS PIPE.
int runEngine(const QStringList& words)
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    EngineOptions options;
    ConsumerSettings consumer;
    consumer.queue = u"jobs"_s;
    consumer.maxBatchTimeoutMs = 0;
    consumer.deadLetterQueue = u"dead"_s;
    options.settings.consumers = {consumer};
    options.settings.jobsQueue = u"jobs"_s;
    options.settings.listen = u"127.0.0.1:0"_s;
    options.database.path = words.value(0);
    options.leaseMs = kLeaseMs;
    options.drainMs = 1'000;
    options.addHandlers = [&](HandlerRegistry& registry) {
        registry.add(u"gate"_s, std::static_pointer_cast<BlockingHandler>(
                                    std::make_shared<Gate>(words.value(1), words.value(2))));
    };
    const auto engine = Engine::start(std::move(options));
    if (!engine) {
        std::cerr << engine.error().text().toStdString() << std::endl;
        return 1;
    }
    std::cout << (*engine)->health().listenUrl.toStdString() << std::endl;
    while (std::getchar() != EOF) {
    }
    (*engine)->stop();
    return 0;
}

class EngineProcess final
{
public:
    EngineProcess(const QTemporaryDir& folder, const QString& name)
        : m_pipe(folder.filePath(name + u".pipe"_s)), m_log(folder.filePath(name + u".log"_s))
    {
        ::mkfifo(QFile::encodeName(m_pipe).constData(), 0600);
        m_process.setStandardErrorFile(m_log);
        m_process.start(QCoreApplication::applicationFilePath(),
                        {u"engine"_s, folder.filePath(u"jobs.db"_s), folder.filePath(u"runs"_s), m_pipe});
        while (!m_process.canReadLine() && m_process.waitForReadyRead(kPatienceMs)) {
        }
        m_url = QString::fromUtf8(m_process.readLine()).trimmed();
    }
    ~EngineProcess()
    {
        signal(SIGCONT);
        m_process.closeWriteChannel();
        if (!m_process.waitForFinished(kPatienceMs))
            m_process.kill();
    }

    void signal(int number) const { ::kill(pid_t(m_process.processId()), number); }
    const QString& url() const { return m_url; }
    bool logged(const char* event) const
    {
        QFile file(m_log);
        return file.open(QIODevice::ReadOnly) && file.readAll().contains(event);
    }
    // Lets the job that runs here end with this result, once. False while none waits.
    bool endJob(const QByteArray& result)
    {
        if (m_ended)
            return true;
        const int pipe = ::open(QFile::encodeName(m_pipe).constData(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
        if (pipe < 0)
            return false;
        const bool written = ::write(pipe, result.constData(), size_t(result.size())) == result.size();
        ::close(pipe);
        m_ended = written;
        return written;
    }

private:
    QString m_pipe;
    QString m_log;
    QProcess m_process;
    QString m_url;
    bool m_ended = false;
};

} // namespace

class StoppedEngineTest : public QObject
{
    Q_OBJECT

    static qint64 number(const QString& database, const QString& statement)
    {
        const auto db = Connection::open({database}, Access::Reader);
        auto query = (*db)->dynamicQuery(statement);
        return query.next() ? query.int64(0) : -1;
    }

    static QByteArrayList linesOf(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed().split('\n') : QByteArrayList();
    }

    // At a moment at which it holds no lock: else nobody could take over, and nothing would be shown.
    static void stopOutsideATurn(const EngineProcess& engine, const QString& database)
    {
        const auto db = Connection::open({database}, Access::Writer);
        (*db)->setBusyTimeout(0);
        for (;;) {
            engine.signal(SIGSTOP);
            if (Transaction::begin(**db))
                return;
            engine.signal(SIGCONT);
        }
    }

private Q_SLOTS:
    void aLateReportChangesNothing_data()
    {
        QTest::addColumn<bool>("whileTheOtherRuns");
        QTest::newRow("after the other has ended it") << false;
        QTest::newRow("while the other runs it") << true;
    }
    void aLateReportChangesNothing()
    {
        QFETCH(bool, whileTheOtherRuns);
        bool given = false;
        const int asked = qEnvironmentVariableIntValue("REDRIVE_ROUNDS", &given);
        for (int round = 0; round < (given ? asked : 3); ++round) {
            const QTemporaryDir folder;
            const QString database = folder.filePath(u"jobs.db"_s);
            const QString runs = folder.filePath(u"runs"_s);
            EngineProcess first(folder, u"first"_s);
            const PlainAnswer accepted =
                PlainClient(first.url()).post("/jobs", R"({"type":"gate","payload":1})");
            QCOMPARE(accepted.status, 202);
            const QByteArray id = QJsonDocument::fromJson(accepted.body)[u"jobId"_s].toString().toLatin1();
            QTRY_COMPARE(linesOf(runs), QByteArrayList{id + " 1"});

            stopOutsideATurn(first, database);
            const qint64 leaseUntil = number(database, u"SELECT lease_until_ms FROM instances"_s);
            QTRY_VERIFY(SystemClock().bootMs() > leaseUntil);
            EngineProcess second(folder, u"second"_s);
            QTRY_COMPARE(linesOf(runs), (QByteArrayList{id + " 1", id + " 2"}));
            const PlainClient client(second.url());
            const auto job = [&] { return QJsonDocument::fromJson(client.get("/jobs/" + id).body).object(); };
            const auto goOn = [&] {
                first.signal(SIGCONT);
                QTRY_VERIFY(first.endJob("late"));
                QTRY_VERIFY_WITH_TIMEOUT(first.logged("late_outcome_ignored"), kPatienceMs);
                QVERIFY(first.logged("lease_lost"));
            };
            if (whileTheOtherRuns) {
                goOn();
                QCOMPARE(job()[u"status"_s].toString(), u"processing"_s);
            }
            QTRY_VERIFY(second.endJob("taken over"));
            QTRY_COMPARE(job()[u"status"_s].toString(), u"done"_s);
            if (!whileTheOtherRuns)
                goOn();

            QCOMPARE(job()[u"status"_s].toString(), u"done"_s);
            QCOMPARE(job()[u"result"_s].toString(), u"taken over"_s);
            QCOMPARE(number(database, u"SELECT count(*) FROM job_attempts WHERE outcome = 'done'"_s), 1);
            QCOMPARE(number(database, u"SELECT count(*) FROM job_attempts WHERE outcome = 'crashed'"_s), 1);
            QCOMPARE(number(database, u"SELECT count(*) FROM job_attempts"_s), 2);
            QCOMPARE(number(database,
                            u"SELECT count(*) FROM job_attempts WHERE outcome = 'crashed' AND error = "
                            "'the engine ended during the attempt' || char(10) || 'lost lease: it was "
                            "done later, which changed nothing: \"late\"'"_s),
                     1);
            QCOMPARE(number(database, u"SELECT count(*) FROM messages"_s), 0);
            QCOMPARE(number(database, u"SELECT count(*) FROM job_results"_s), 1);
            QCOMPARE(linesOf(runs).size(), 2);
            // And the first works on, under a name of its own.
            QCOMPARE(PlainClient(first.url()).post("/jobs", R"({"type":"nobody","payload":1})").status, 202);
            QTRY_COMPARE(number(database, u"SELECT count(*) FROM jobs WHERE status = 'dead'"_s), 1);
            QCOMPARE(number(database, u"SELECT count(*) FROM instances WHERE ended_at_ms IS NULL"_s), 2);
        }
    }
};

int main(int argc, char** argv)
{
    QCoreApplication application(argc, argv);
    if (argc > 1 && qstrcmp(argv[1], "engine") == 0)
        return runEngine(QCoreApplication::arguments().mid(2));
    StoppedEngineTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "stopped_engine_test.moc"
