// Alerts of a real engine, one that is killed too, and the commands for them: real processes, a real file, a
// real receiver.
#include "tests/app/program.h"
#include "tests/support/http_receiver.h"

#include <QTest>

#include <csignal>

using namespace redrive;
using namespace redrive::test;

namespace {

constexpr int kPatienceMs = 30'000;
constexpr char kPath[] = "/services/T0AB/very-secret-path";
constexpr char kKey[] = "sesame-open-4711";

// `redrive serve` until the object goes.
class Server final
{
public:
    explicit Server(const Program& program)
    {
        program.prepare(m_process, {u"serve"_s, u"--listen"_s, u"127.0.0.1:0"_s, u"--json"_s});
        m_process.start();
        while (!m_process.canReadLine() && m_process.waitForReadyRead(kPatienceMs)) {
        }
    }
    ~Server() { end(SIGTERM); }

    // What it wrote to its standard error.
    QByteArray end(int signal)
    {
        if (m_process.state() != QProcess::NotRunning) {
            ::kill(pid_t(m_process.processId()), signal);
            if (!m_process.waitForFinished(kPatienceMs))
                m_process.kill();
        }
        m_said += m_process.readAllStandardError();
        return m_said;
    }

private:
    QProcess m_process;
    QByteArray m_said;
};

void configure(const Program& program, const HttpReceiver& receiver)
{
    program.write(u"redrive.toml"_s, "[alerts]\nwebhooks = [{ form = \"json\", url_secret = \"ALERT_URL\", "
                                     "key = \"ALERT_KEY\" }]\n");
    program.write(u"wrangler.toml"_s, "[[queues.producers]]\nbinding = \"JOBS\"\nqueue = \"jobs\"\n"
                                      "[[queues.consumers]]\nqueue = \"jobs\"\nmax_batch_timeout = 0\n"
                                      "max_retries = 0\ndead_letter_queue = \"jobs-dlq\"\n");
    program.write(u".dev.vars"_s, "ALERT_URL=\"" + receiver.url(kPath).toUtf8() + "\"\nALERT_KEY=\"" +
                                      QByteArray(kKey) + "\"\n");
}

bool hasSecret(const QString& text)
{
    return text.contains(QLatin1StringView(kKey)) || text.contains(u"very-secret-path");
}

} // namespace

class AlertsCommandTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anAlertOutlivesTheEngineThatMadeIt()
    {
        const Program program;
        HttpReceiver receiver;
        configure(program, receiver);
        receiver.answerNext(kPath, ReceiverAnswer::status(200).hold());
        QByteArray said;
        {
            Server engine(program);
            for (int job = 0; job < 5; ++job)
                QCOMPARE(program.run({u"enqueue"_s, u"nobody_knows"_s}).code, 0);
            QVERIFY(receiver.waitForArrivals(1, kPath, kPatienceMs));
            said = engine.end(SIGKILL); // it never hears that the alert arrived
        }
        QCOMPARE(receiver.arrivalCount(kPath), 1);
        Server other(program);
        QVERIFY(receiver.waitForArrivals(2, kPath, kPatienceMs));
        QTRY_COMPARE_WITH_TIMEOUT(program.run({u"alerts"_s, u"--json"_s}).json().value(u"state"_s).toString(),
                                  u"works"_s, kPatienceMs);
        const auto arrivals = receiver.arrivals(kPath);
        QCOMPARE(arrivals[0].body, arrivals[1].body);
        QCOMPARE(arrivals[0].header("authorization"), QByteArray("Bearer ") + kKey);
        const Outcome activity = program.run({u"activity"_s, u"--where"_s, u"kind:alert"_s, u"--json"_s});
        QCOMPARE(activity.lines().size(), 1);
        QCOMPARE(activity.json().value(u"what"_s).toString(), u"dead_letters"_s);
        QCOMPARE(activity.json().value(u"posted"_s).toInt(), 1);
        said += other.end(SIGTERM);
        QCOMPARE(receiver.arrivalCount(), 2);
        QFile log(program.path(u"data/redrive.log"_s));
        if (log.open(QIODevice::ReadOnly))
            said += log.readAll();
        for (const QString& text : {QString::fromUtf8(said), activity.out, program.run({u"alerts"_s}).out})
            QVERIFY2(!hasSecret(text), qPrintable(text));
    }

    void aTestSaysWhatCameOfIt()
    {
        const Program program;
        HttpReceiver receiver;
        configure(program, receiver);
        receiver.answerNext(kPath, ReceiverAnswer::status(401, QByteArray("who is ") + kKey + "?"));
        const Outcome refused = program.run({u"alerts"_s, u"test"_s});
        QCOMPARE(refused.code, 1);
        QVERIFY2(refused.out.contains(u"json secret ALERT_URL: did not arrive: HTTP 401: who is ***?"),
                 qPrintable(refused.out));
        const Outcome arrived = program.run({u"alerts"_s, u"test"_s, u"--json"_s});
        QCOMPARE(arrived.code, 0);
        QCOMPARE(arrived.json().value(u"arrived"_s).toBool(), true);
        const QString id = arrived.json().value(u"id"_s).toString();
        QCOMPARE(program.run({u"alerts"_s, u"test"_s, id}).code, 0);
        QCOMPARE(program.run({u"alerts"_s, u"test"_s, u"other"_s}).code, 1);
        QCOMPARE(program.run({u"alerts"_s, u"nonsense"_s}).code, 2);
        QCOMPARE(receiver.arrivalCount(kPath), 3);
        QVERIFY(receiver.arrivals(kPath)[0].body.contains("\"test\":true"));
    }

    // What operators do and what alerts tell, in one list.
    void activityListsActions()
    {
        const Program program;
        QCOMPARE(program.run({u"enqueue"_s, u"greet"_s}).code, 0);
        QCOMPARE(program.run({u"pause"_s, u"jobs"_s, u"--reason"_s, u"lunch, and more"_s}).code, 0);
        QCOMPARE(program.run({u"tokens"_s, u"create"_s, u"shop"_s}).code, 0);
        const Outcome all = program.run({u"activity"_s, u"--json"_s});
        QCOMPARE(all.lines().size(), 2);
        QCOMPARE(all.json(0).value(u"target"_s).toString(), u"shop"_s);
        QCOMPARE(all.json(1).value(u"what"_s).toString(), u"pause"_s);
        QCOMPARE(all.json(1).value(u"reason"_s).toString(), u"lunch, and more"_s);
        QCOMPARE(all.json(1).value(u"source"_s).toString(), u"command line"_s);
        for (const auto& [query, lines] :
             {std::pair(u"type:pause"_s, 1), std::pair(u"kind:action"_s, 2), std::pair(u"kind:alert"_s, 0),
              std::pair(u"lunch"_s, 1), std::pair(u"age:>1h"_s, 0), std::pair(u"by:nobody"_s, 0),
              std::pair(u"NOT type:pause"_s, 1), std::pair(u"queue:jobs"_s, 0),
              std::pair(u"status:failed"_s, 0)}) {
            const Outcome found = program.run({u"activity"_s, u"--where"_s, query, u"--json"_s});
            QVERIFY2(found.code == 0 && found.lines().size() == lines,
                     qPrintable(query + found.out + found.err));
        }
        const Outcome csv = program.run({u"activity"_s, u"--csv"_s});
        QVERIFY(csv.out.startsWith(u"kind,no,at,by,source,what,target"));
        QVERIFY(csv.out.contains(u"\"lunch, and more\""));
    }
};

QTEST_GUILESS_MAIN(AlertsCommandTest)
#include "alerts_command_test.moc"
