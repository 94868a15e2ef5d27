// Programs of a user's own that kill the engine or never end, run by a real `redrive serve`.
#include "core/db/connection.h"
#include "tests/integration/serve_process.h"
#include "tests/support/plain_client.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <functional>

using namespace redrive;
using namespace redrive::test;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kPatienceMs = 60'000;
constexpr int kNeighbours = 20;

const QByteArray kConfiguration = "[[queues.producers]]\n"
                                  "binding = \"JOBS\"\n"
                                  "queue = \"jobs\"\n"
                                  "[[queues.consumers]]\n"
                                  "queue = \"jobs\"\n"
                                  "max_batch_timeout = 0\n"
                                  "max_retries = 0\n"
                                  "dead_letter_queue = \"jobs-dlq\"\n"
                                  "[redrive.handlers.killer]\n"
                                  "command = [\"/bin/sh\", \"-c\", \"kill -9 $PPID; sleep 1000\"]\n"
                                  "timeout = 0\n"
                                  "[redrive.handlers.fine]\n"
                                  "command = [\"/bin/true\"]\n"
                                  "[redrive.handlers.deaf]\n"
                                  "command = [\"/bin/sh\", \"-c\", \"trap '' TERM; while :; do :; done\"]\n"
                                  "timeout = 1\n"
                                  "concurrency = 1\n"
                                  "[redrive.handlers.prompt]\n"
                                  "command = [\"/bin/true\"]\n";

} // namespace

class HostileProgramsTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<ServeProcess> m_serve;

    QString submit(const char* type) const
    {
        const QByteArray body = QByteArray("{\"type\":\"") + type + "\",\"payload\":{}}";
        const PlainAnswer answer = PlainClient(m_serve->url()).post("/jobs", body);
        return QJsonDocument::fromJson(answer.body)[u"jobId"_s].toString();
    }
    QString stored(const QString& statement) const
    {
        const auto db = Connection::open({m_serve->databasePath()}, Access::Reader);
        if (!db)
            return {};
        auto query = (*db)->dynamicQuery(statement);
        return query.next() ? query.text(0) : QString();
    }
    bool isEnded(const QString& id) const
    {
        const QString status = stored(u"SELECT status FROM jobs WHERE id = '%1'"_s.arg(id));
        return status != u"pending" && status != u"processing";
    }

private Q_SLOTS:
    void init()
    {
        QFile file(m_folder.filePath(u"wrangler.toml"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(kConfiguration);
        file.close();
        m_serve = std::make_unique<ServeProcess>(m_folder.path());
    }
    void cleanup() { m_serve.reset(); }

    void aProgramThatKillsTheEngineIsDeadAtTheThirdTime()
    {
        QVERIFY2(m_serve->start(), m_serve->log().right(2'000).constData());
        QStringList neighbours;
        for (int i = 0; i < kNeighbours / 2; ++i)
            neighbours.append(submit("fine"));
        const QString killer = submit("killer");
        int deaths = 0;
        while (deaths < 10) {
            QTRY_VERIFY_WITH_TIMEOUT(!m_serve->isRunning() || m_serve->exitWithin(0) || isEnded(killer),
                                     kPatienceMs);
            if (m_serve->isRunning())
                break;
            ++deaths;
            QVERIFY2(m_serve->start(), m_serve->log().right(2'000).constData());
        }
        QCOMPARE(deaths, 3);
        for (int i = kNeighbours / 2; i < kNeighbours; ++i)
            neighbours.append(submit("fine"));
        QTRY_COMPARE_WITH_TIMEOUT(
            stored(u"SELECT count(*) FROM jobs WHERE type = 'fine' AND status = 'done'"_s),
            QString::number(kNeighbours), kPatienceMs);

        QCOMPARE(stored(u"SELECT status || ' ' || reason || ' ' || crashes FROM jobs WHERE id = '%1'"_s.arg(
                     killer)),
                 u"dead crashed 3"_s);
        QCOMPARE(stored(u"SELECT group_concat(outcome) FROM job_attempts WHERE job_id = '%1'"_s.arg(killer)),
                 u"crashed,crashed,crashed"_s);
        QCOMPARE(stored(u"SELECT group_concat(subject_id || ' ' || reason) FROM dead_letters"_s),
                 killer + u" crashed"_s);
        QVERIFY(m_serve->isRunning());
        m_serve->signal(SIGTERM);
        QCOMPARE(m_serve->exitWithin(kPatienceMs), std::optional(0));
    }

    void aProgramThatNeverEndsLosesItsSlot()
    {
        QVERIFY2(m_serve->start(), m_serve->log().right(2'000).constData());
        const QString first = submit("deaf");
        const QString second = submit("deaf");
        const QString other = submit("prompt");
        QTRY_VERIFY_WITH_TIMEOUT(isEnded(other), kPatienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(isEnded(first) && isEnded(second), kPatienceMs);
        for (const QString& id : {first, second})
            QCOMPARE(stored(u"SELECT outcome FROM job_attempts WHERE job_id = '%1'"_s.arg(id)),
                     u"timed_out"_s);
        m_serve->signal(SIGTERM);
        QCOMPARE(m_serve->exitWithin(kPatienceMs), std::optional(0));
    }
};

QTEST_GUILESS_MAIN(HostileProgramsTest)
#include "hostile_programs_test.moc"
