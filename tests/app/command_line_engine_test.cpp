// Commands beside a running engine, all of them real processes on a real file.
#include "tests/app/program.h"
#include "tests/support/http_receiver.h"
#include "tests/support/plain_client.h"

#include <QRegularExpression>
#include <QTest>

#include <csignal>

using namespace redrive;
using namespace redrive::test;

namespace {

constexpr int kPatienceMs = 30'000;

// `redrive serve` until the object goes.
class Server final
{
public:
    explicit Server(const Program& program, const QStringList& words = {})
    {
        program.prepare(m_process,
                        QStringList{u"serve"_s, u"--listen"_s, u"127.0.0.1:0"_s, u"--json"_s} + words);
        m_process.start();
    }
    ~Server() { stop(); }

    // Its address once it listens; empty when it ended instead.
    QString listenUrl()
    {
        QByteArray line;
        while (!m_process.canReadLine() && m_process.waitForReadyRead(kPatienceMs)) {
        }
        return QJsonDocument::fromJson(m_process.readLine()).object().value(u"listen"_s).toString();
    }

    // The exit code after SIGTERM; -1: it did not end by itself.
    int stop()
    {
        if (m_process.state() == QProcess::NotRunning)
            return m_process.exitCode();
        ::kill(pid_t(m_process.processId()), SIGTERM);
        if (!m_process.waitForFinished(kPatienceMs)) {
            m_process.kill();
            m_process.waitForFinished();
            return -1;
        }
        return m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
    }

    qint64 pid() const { return m_process.processId(); }

private:
    QProcess m_process;
};

} // namespace

class CommandLineEngineTest : public QObject
{
    Q_OBJECT

    // `works` is done; `shaky` fails until the file `fixed` is there.
    static void configure(const Program& program)
    {
        program.write(u"wrangler.toml"_s,
                      "[[queues.producers]]\nbinding = \"Q\"\nqueue = \"jobs\"\n"
                      "[[queues.consumers]]\nqueue = \"jobs\"\nmax_retries = 0\nmax_batch_timeout = 0\n"
                      "dead_letter_queue = \"jobs-dlq\"\n"
                      "[[queues.consumers]]\nqueue = \"jobs-dlq\"\nmax_batch_timeout = 0\n"
                      "[redrive.handlers.works]\ncommand = [\"/bin/cat\"]\n"
                      "[redrive.handlers.sleeps]\ncommand = [\"/bin/sh\", \"-c\", \"sleep 600 & echo $! > " +
                          program.path(u"child"_s).toUtf8() +
                          "; trap '' TERM; wait; sleep 600\"]\ntimeout = 0\n"
                          "[redrive.handlers.shaky]\ncommand = [\"/bin/sh\", \"-c\", \"test -e " +
                          program.path(u"fixed"_s).toUtf8() + "\"]\n");
    }

    static QString enqueue(const Program& program, const QString& type)
    {
        return program.run({u"enqueue"_s, type}).out.trimmed();
    }

    static QString statusOf(const Program& program, const QString& id)
    {
        const Outcome listed = program.run({u"jobs"_s, u"--where"_s, u"id:"_s + id, u"--json"_s});
        return listed.json().value(u"status"_s).toString();
    }

    // Two endpoints; what fails waits for an hour.
    static void configureWebhooks(const Program& program, const HttpReceiver& receiver)
    {
        program.write(u"wrangler.toml"_s,
                      "[[queues.producers]]\nbinding = \"Q\"\nqueue = \"jobs\"\n"
                      "[[queues.consumers]]\nqueue = \"jobs\"\nmax_batch_timeout = 0\n"
                      "[redrive.backoff]\nbase = 3600\ncap = 3600\n"
                      "[[redrive.endpoints]]\nid = \"acme\"\nevents = [\"order.*\"]\nurl = \"" +
                          receiver.url("/acme").toUtf8() +
                          "\"\n[[redrive.endpoints]]\nid = \"late\"\nevents = [\"order.*\"]\nurl = \"" +
                          receiver.url("/late").toUtf8() + "\"\n");
    }

    static QJsonObject redriveOf(const Program& program, int no)
    {
        const Outcome listed = program.run({u"redrives"_s, u"--json"_s});
        for (int line = 0; line < listed.lines().size(); ++line)
            if (listed.json(line).value(u"redrive"_s).toInt() == no)
                return listed.json(line);
        return {};
    }

private Q_SLOTS:
    void runsWhatACommandEnqueued()
    {
        const Program program;
        configure(program);
        const QString before = enqueue(program, u"works"_s);
        Server server(program);
        QVERIFY(server.listenUrl().startsWith(u"http://127.0.0.1:"_s));
        const QString during = enqueue(program, u"works"_s);
        QTRY_COMPARE_WITH_TIMEOUT(statusOf(program, before), u"done"_s, kPatienceMs);
        QTRY_COMPARE_WITH_TIMEOUT(statusOf(program, during), u"done"_s, kPatienceMs);
        QCOMPARE(server.stop(), 0);
    }

    void cancelsWhatTheEngineRunsWithItsWholeGroup()
    {
        const Program program;
        configure(program);
        Server server(program);
        QVERIFY(!server.listenUrl().isEmpty());
        const QString id = enqueue(program, u"sleeps"_s);
        QFile child(program.path(u"child"_s));
        QTRY_VERIFY_WITH_TIMEOUT(child.size() > 0, kPatienceMs);
        QVERIFY(child.open(QIODevice::ReadOnly));
        const pid_t pid = child.readAll().trimmed().toInt();
        QCOMPARE(::kill(pid, 0), 0);
        QCOMPARE(program.run({u"cancel"_s, id}).out, u"1 of 1 cancelled\n"_s);
        QTRY_COMPARE_WITH_TIMEOUT(statusOf(program, id), u"cancelled"_s, kPatienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(::kill(pid, 0) != 0, kPatienceMs);
        QCOMPARE(program.run({u"cancel"_s, id}).code, 1);
        QCOMPARE(server.stop(), 0);
    }

    void steersARedriveByItsOutcomes()
    {
        const Program program;
        HttpReceiver receiver;
        configureWebhooks(program, receiver);
        receiver.answer("/acme", ReceiverAnswer::status(500));
        Server server(program);
        QVERIFY(!server.listenUrl().isEmpty());
        const QString payload = uR"({"eventType":"order.made","eventData":1,"endpoints":[{"id":"acme"}]})"_s;
        constexpr int kEvents = 2; // so few that no breaker opens
        for (int i = 0; i < kEvents; ++i)
            QCOMPARE(program.run({u"enqueue"_s, u"webhook_fanout"_s, u"--payload"_s, payload}).code, 0);
        const QStringList failed{u"deliveries"_s, u"--where"_s, u"status:failed"_s, u"--json"_s};
        QTRY_COMPARE_WITH_TIMEOUT(program.run(failed).lines().size(), kEvents, kPatienceMs);

        const QStringList replay{u"replay"_s, u"--endpoint"_s, u"acme"_s, u"--since"_s,
                                 u"1h"_s,     u"--canary"_s,   u"1"_s,    u"--json"_s};
        const Outcome asked = program.run(replay);
        QCOMPARE(asked.code, 0);
        QVERIFY(asked.json().value(u"goesOn"_s).toBool());
        QCOMPARE(asked.json().value(u"total"_s).toInt(), kEvents);
        const auto state = [&] { return redriveOf(program, 1).value(u"state"_s).toString(); };
        QTRY_COMPARE_WITH_TIMEOUT(state(), u"paused"_s, kPatienceMs);
        QCOMPARE(redriveOf(program, 1).value(u"failedAgain"_s).toInt(), 1);
        QCOMPARE(receiver.arrivalCount("/acme"), kEvents + 1);

        receiver.answer("/acme", ReceiverAnswer::status(200));
        QCOMPARE(program.run({u"redrives"_s, u"rate"_s, u"1"_s, u"100"_s}).code, 0);
        QCOMPARE(program.run({u"redrives"_s, u"continue"_s, u"1"_s}).code, 0);
        QTRY_COMPARE_WITH_TIMEOUT(redriveOf(program, 1).value(u"succeeded"_s).toInt(), kEvents - 1,
                                  kPatienceMs);
        QTRY_COMPARE_WITH_TIMEOUT(state(), u"done"_s, kPatienceMs);
        QCOMPARE(receiver.arrivalCount("/acme"), 2 * kEvents);
        const QStringList good{u"deliveries"_s, u"--where"_s, u"redrive:1/succeeded"_s, u"--json"_s};
        QCOMPARE(program.run(good).lines().size(), kEvents - 1);
        const Outcome planned = program.run(
            {u"replay"_s, u"--endpoint"_s, u"acme"_s, u"--delivered"_s, u"--dry-run"_s, u"--json"_s});
        QCOMPARE(planned.json().value(u"willAct"_s).toInt(), kEvents);
        const Outcome late = program.run({u"redrives"_s, u"stop"_s, u"1"_s});
        QCOMPARE(late.code, 1);
        QVERIFY(late.err.contains(u"redrive 1 is done"_s));
        QCOMPARE(program.run({u"redrives"_s, u"hurry"_s, u"1"_s}).code, 2);
        QCOMPARE(server.stop(), 0);
    }

    void showsADeliveryWithAllThatIsKeptOfItsAttempts()
    {
        const Program program;
        HttpReceiver receiver;
        configureWebhooks(program, receiver);
        receiver.answer("/keyed", ReceiverAnswer::status(503, "out\nof \x1b[31morder", {{"X-Why", "rest"}}));
        QCOMPARE(program
                     .run({u"endpoints"_s, u"add"_s, u"keyed"_s, u"--url"_s, receiver.url("/keyed"),
                           u"--settings"_s, u"{\"headers\":{\"X-Key\":\"s3cret-s3cret\"}}"_s})
                     .code,
                 0);
        Server server(program);
        QVERIFY(!server.listenUrl().isEmpty());
        const QString payload = uR"({"eventType":"order.made","eventData":7,"endpoints":[{"id":"keyed"}]})"_s;
        QCOMPARE(program.run({u"enqueue"_s, u"webhook_fanout"_s, u"--payload"_s, payload}).code, 0);
        const QStringList failed{u"deliveries"_s, u"--where"_s, u"status:failed"_s, u"--json"_s};
        QTRY_COMPARE_WITH_TIMEOUT(program.run(failed).lines().size(), 1, kPatienceMs);
        const QString id = program.run(failed).json().value(u"id"_s).toString();
        QCOMPARE(program.run({u"replay"_s, id}).code, 0);
        const QStringList show{u"deliveries"_s, u"show"_s, id};
        const auto json = [&] { return program.run(show + QStringList{u"--json"_s}); };
        const auto second = [&] { return json().json(1).value(u"outcome"_s).toString(); };
        QTRY_VERIFY_WITH_TIMEOUT(json().lines().size() == 3 && second() == u"failed"_s, kPatienceMs);

        const Outcome shown = json();
        QCOMPARE(shown.json().value(u"id"_s).toString(), id);
        QCOMPARE(shown.json().value(u"attempts"_s).toInt(), 2);
        QVERIFY(shown.json().value(u"body"_s).toString().contains(u"\"data\":7"_s));
        const QJsonObject replayed = shown.json(1);
        QCOMPARE(replayed.value(u"kind"_s).toString(), u"replay"_s);
        QCOMPARE(replayed.value(u"replayOf"_s).toInt(), 1);
        const QJsonObject first = shown.json(2);
        QCOMPARE(first.value(u"delivery"_s).toString(), id);
        QCOMPARE(first.value(u"attempt"_s).toInt(), 1);
        QCOMPARE(first.value(u"url"_s).toString(), receiver.url("/keyed"));
        QVERIFY(first.value(u"peer"_s).toString().startsWith(u"127.0.0.1"_s));
        QCOMPARE(first.value(u"endpointVersion"_s).toInt(), 1);
        QCOMPARE(first.value(u"class"_s).toString(), u"answered"_s);
        QCOMPARE(first.value(u"statusCode"_s).toInt(), 503);
        QVERIFY(first.value(u"totalUs"_s).toInt() > 0);
        QVERIFY(first.value(u"tlsUs"_s).isNull());
        QVERIFY(first.value(u"nextReason"_s).toString().contains(u"after failure 1 of"_s));
        QVERIFY(first.value(u"requestHeaders"_s).toString().contains(u"webhook-id"_s));
        QVERIFY(first.value(u"responseHeaders"_s).toString().contains(u"X-Why: rest"_s));
        QCOMPARE(first.value(u"responseBody"_s).toString(), u"out\nof \x1b[31morder"_s);

        const Outcome text = program.run(show);
        QCOMPARE(text.code, 0);
        for (const QString& part :
             {u"keyed"_s, u"attempt 2"_s, u"replay of attempt 1"_s, u"failed 503 (answered)"_s,
              receiver.url("/keyed"), u"version 1 of its endpoint"_s, u"first byte"_s,
              u"after failure 1 of"_s, u"X-Why: rest"_s, u"body      out\n            of "_s})
            QVERIFY2(text.out.contains(part), qPrintable(part + u" is not in\n"_s + text.out));
        for (const Outcome& outcome : {shown, text})
            QVERIFY(!outcome.out.contains(u"s3cret"_s) && !outcome.out.contains(u'\x1b'));

        QCOMPARE(program.run({u"deliveries"_s, u"show"_s, u"nobody"_s}).code, 1);
        QCOMPARE(program.run({u"deliveries"_s, u"show"_s}).code, 2);
        QCOMPARE(program.run({u"deliveries"_s, u"hide"_s, id}).code, 2);
        QCOMPARE(server.stop(), 0);
    }

    void deliversWhatAnEndpointMissedAndPublishesAgain()
    {
        const Program program;
        HttpReceiver receiver;
        configureWebhooks(program, receiver);
        Server server(program);
        QVERIFY(!server.listenUrl().isEmpty());
        const QString payload = uR"({"eventType":"order.made","endpoints":[{"id":"acme"}]})"_s;
        const Outcome made = program.run({u"enqueue"_s, u"webhook_fanout"_s, u"--payload"_s, payload});
        const QString job = made.out.trimmed();
        QVERIFY(receiver.waitForArrivals(1, "/acme", kPatienceMs));

        const QStringList missing{u"replay-missing"_s, u"--endpoint"_s, u"late"_s,
                                  u"--since"_s,        u"1h"_s,         u"--json"_s};
        QCOMPARE(program.run(missing).json().value(u"succeeded"_s).toInt(), 1);
        QVERIFY(receiver.waitForArrivals(1, "/late", kPatienceMs));
        QCOMPARE(receiver.arrivals("/late")[0].header("webhook-id"),
                 receiver.arrivals("/acme")[0].header("webhook-id"));
        QCOMPARE(program.run(missing).json().value(u"total"_s).toInt(), 0); // it has it now

        // Of two more that it never got, exactly the chosen one.
        for (int arrivals = 2; arrivals <= 3; ++arrivals) {
            QCOMPARE(program.run({u"enqueue"_s, u"webhook_fanout"_s, u"--payload"_s, payload}).code, 0);
            QVERIFY(receiver.waitForArrivals(arrivals, "/acme", kPatienceMs));
        }
        const QString chosen = QString::fromUtf8(receiver.arrivals("/acme")[1].header("webhook-id"));
        const QStringList exactly{u"replay-missing"_s, chosen + u":late"_s, u"--json"_s};
        QCOMPARE(program.run(exactly + QStringList{u"--dry-run"_s}).json().value(u"willAct"_s).toInt(), 1);
        QCOMPARE(program.run(exactly).json().value(u"succeeded"_s).toInt(), 1);
        QVERIFY(receiver.waitForArrivals(2, "/late", kPatienceMs));
        QCOMPARE(QString::fromUtf8(receiver.arrivals("/late")[1].header("webhook-id")), chosen);
        const Outcome again = program.run(exactly);
        QCOMPARE(again.code, 1);
        QCOMPARE(again.json(1).value(u"id"_s).toString(), chosen + u":late"_s);
        QCOMPARE(again.json(1).value(u"refused"_s).toString(), u"has a delivery to it already"_s);
        QCOMPARE(program.run({u"replay-missing"_s, chosen}).code, 1);

        const Outcome published = program.run({u"publish"_s, u"--job"_s, job, u"--json"_s});
        QCOMPARE(published.code, 0);
        QVERIFY(receiver.waitForArrivals(4, "/acme", kPatienceMs));
        const auto arrivals = receiver.arrivals("/acme");
        QVERIFY(arrivals[0].header("webhook-id") != arrivals[3].header("webhook-id"));
        const QString id = published.json().value(u"newId"_s).toString();
        const Outcome jobs = program.run({u"jobs"_s, u"--where"_s, u"id:"_s + id, u"--json"_s});
        QCOMPARE(jobs.json().value(u"parentId"_s).toString(), job);
        QCOMPARE(server.stop(), 0);
    }

    void letsTheEngineRequeue()
    {
        const Program program;
        configure(program);
        Server server(program);
        QVERIFY(!server.listenUrl().isEmpty());
        const QString id = enqueue(program, u"shaky"_s);
        QTRY_COMPARE_WITH_TIMEOUT(statusOf(program, id), u"dead"_s, kPatienceMs);
        const Outcome dead = program.run({u"dead"_s, u"--json"_s});
        QCOMPARE(dead.json().value(u"id"_s).toString(), id);

        program.write(u"fixed"_s, {});
        const Outcome requeued = program.run({u"requeue"_s, u"--where"_s, u"type:shaky"_s, u"--json"_s});
        QCOMPARE(requeued.code, 0);
        QCOMPARE(requeued.json().value(u"succeeded"_s).toInt(), 1);
        QTRY_COMPARE_WITH_TIMEOUT(statusOf(program, id), u"done"_s, kPatienceMs);
        QVERIFY(program.run({u"dead"_s, u"--json"_s}).out.isEmpty());
    }

    void keepsAPauseOverARestart()
    {
        const Program program;
        configure(program);
        {
            Server server(program);
            QVERIFY(!server.listenUrl().isEmpty());
            QCOMPARE(program.run({u"pause"_s, u"jobs"_s}).code, 0);
            QCOMPARE(server.stop(), 0);
        }
        Server server(program);
        QVERIFY(!server.listenUrl().isEmpty());
        const QString id = enqueue(program, u"works"_s);
        QCOMPARE(program.run({u"pause"_s, u"jobs"_s}).code, 1); // it is paused already
        QCOMPARE(statusOf(program, id), u"pending"_s);
        QCOMPARE(program.run({u"resume"_s, u"jobs"_s}).code, 0);
        QTRY_COMPARE_WITH_TIMEOUT(statusOf(program, id), u"done"_s, kPatienceMs);
    }

    void actsItselfWhenTheEngineWasKilled()
    {
        const Program program;
        configure(program);
        QString id;
        {
            Server server(program);
            QVERIFY(!server.listenUrl().isEmpty());
            id = enqueue(program, u"shaky"_s);
            QTRY_COMPARE_WITH_TIMEOUT(statusOf(program, id), u"dead"_s, kPatienceMs);
            ::kill(pid_t(server.pid()), SIGKILL);
        }
        QCOMPARE(program.run({u"requeue"_s, id}).code, 0);
        QCOMPARE(statusOf(program, id), u"pending"_s);
    }

    void offersViewWhenThePortIsTaken()
    {
        const Program program;
        configure(program);
        Server server(program);
        const QString address = server.listenUrl().remove(u"http://"_s).remove(u'/');
        const Program other;
        const Outcome refused = other.run({u"serve"_s, u"--listen"_s, address});
        QCOMPARE(refused.code, 1);
        QVERIFY2(refused.err.contains(u"view"_s), qPrintable(refused.err));
    }

    void leavesThisMachineOnlyWhenAllowed()
    {
        const Program program;
        const Outcome refused = program.run({u"serve"_s, u"--listen"_s, u"0.0.0.0:0"_s});
        QCOMPARE(refused.code, 1);
        QVERIFY2(refused.err.contains(u"insecure_listen = true"_s), qPrintable(refused.err));
    }

    void aTokenOfTheCommandLineHoldsAtOnce()
    {
        const Program program;
        Server server(program);
        const PlainClient client(server.listenUrl());
        const auto status = [&](const QString& secret) {
            return client.request("GET", "/metrics", {}, {{"Authorization", "Bearer " + secret.toLatin1()}})
                .status;
        };
        QCOMPARE(status({}), 200);
        const QString secret = program.run({u"tokens"_s, u"create"_s, u"ci"_s}).lines().value(0);
        QTRY_COMPARE(status({}), 401);
        QCOMPARE(status(secret), 200);
        QCOMPARE(program.run({u"tokens"_s, u"revoke"_s, u"ci"_s}).code, 0);
        QTRY_COMPARE(status(secret), 401);
    }

    void theFirstStartMakesATokenForEvents()
    {
        const Program program;
        Server server(program);
        const PlainClient client(server.listenUrl());
        const auto send = [&](const QString& secret) {
            return client.post("/ingest", "{}", {{"Authorization", "Bearer " + secret.toLatin1()}}).status;
        };
        QFile file(program.path(u"data/ingest-token"_s));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString secret = QString::fromLatin1(file.readAll()).trimmed();
        QCOMPARE(send(secret), 202);
        QCOMPARE(send(secret + u'x'), 401);
        QCOMPARE(client.get("/metrics").status, 200); // no other door is shut by it

        const Outcome listed = program.run({u"tokens"_s});
        QVERIFY2(listed.err.contains(file.fileName()), qPrintable(listed.err));
        QVERIFY(!(listed.out + listed.err).contains(secret));
        QCOMPARE(program.run({u"tokens"_s, u"--json"_s}).json()[u"opens"_s].toString(), u"ingest"_s);
        QCOMPARE(program.run({u"tokens"_s, u"show"_s, u"ingest"_s}).lines(), QStringList{secret});
        const Outcome made = program.run({u"tokens"_s, u"create"_s, u"app"_s, u"--for"_s, u"ingest"_s});
        QTRY_COMPARE(send(made.lines().value(0)), 202);
        QCOMPARE(client.get("/metrics").status, 200);

        const Outcome rotated = program.run({u"tokens"_s, u"rotate"_s, u"ingest"_s, u"--overlap"_s, u"0"_s});
        QTRY_COMPARE(send(secret), 401);
        QCOMPARE(send(rotated.lines().value(0)), 202);
        QVERIFY(!QFile::exists(file.fileName()));
        QCOMPARE(program.run({u"tokens"_s, u"show"_s, u"ingest"_s}).code, 1);
        QCOMPARE(program.run({u"tokens"_s, u"create"_s, u"b"_s, u"--for"_s, u"jobs"_s}).code, 2);
    }
};

QTEST_GUILESS_MAIN(CommandLineEngineTest)
#include "command_line_engine_test.moc"
