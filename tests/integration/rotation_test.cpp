// Secrets are rotated under a running engine, and an independent verifier judges what it sends: the npm
// package standardwebhooks under Node.
#include "core/net/signing_secret.h"
#include "tests/app/program.h"
#include "tests/integration/serve_process.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace redrive;
using namespace redrive::test;

namespace {

constexpr int kPatienceMs = 60'000;
constexpr int kInstallMs = 120'000;

// Installs the package once, beside the build. Empty: it is there; else why not.
QString installVerifier(const QString& folder)
{
    if (QStandardPaths::findExecutable(u"node"_s).isEmpty())
        return u"there is no node"_s;
    if (QFileInfo::exists(folder + u"/node_modules/standardwebhooks/package.json"_s))
        return {};
    QDir().mkpath(folder);
    QProcess npm;
    npm.start(u"npm"_s, {u"install"_s, u"--prefix"_s, folder, u"--no-audit"_s, u"--no-fund"_s,
                         u"--ignore-scripts"_s, u"--fetch-retries=0"_s, u"standardwebhooks@1"_s});
    if (!npm.waitForStarted())
        return u"there is no npm"_s;
    if (!npm.waitForFinished(kInstallMs)) {
        npm.kill();
        npm.waitForFinished();
        return u"npm did not end in two minutes"_s;
    }
    return npm.exitCode() == 0 ? QString()
                               : u"npm cannot install standardwebhooks: "_s + npm.readAllStandardError();
}

class Verifier final
{
public:
    Verifier(const QString& modules, const QByteArray& secretsJson)
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"NODE_PATH"_s, modules + u"/node_modules"_s);
        environment.insert(u"SECRETS"_s, QString::fromUtf8(secretsJson));
        m_process.setProcessEnvironment(environment);
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process.start(u"node"_s, {QStringLiteral(VERIFIER)});
        m_port = nextLine().trimmed().toInt();
    }
    ~Verifier()
    {
        m_process.closeWriteChannel();
        m_process.waitForFinished(kPatienceMs);
    }

    QString url() const { return u"http://127.0.0.1:%1/hooks"_s.arg(m_port); }
    // Of the request that comes next: the names of the secrets that its verifier accepts.
    QStringList nextAccepted()
    {
        const QJsonObject line = QJsonDocument::fromJson(nextLine()).object();
        QStringList names;
        for (const QJsonValue& name : line.value(u"accepted"_s).toArray())
            names.append(name.toString());
        return names;
    }

private:
    QByteArray nextLine()
    {
        while (!m_process.canReadLine() && m_process.waitForReadyRead(kPatienceMs)) {
        }
        return m_process.readLine();
    }

    QProcess m_process;
    int m_port = 0;
};

} // namespace

class RotationTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    Outcome run(const QStringList& words) const
    {
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        process.start(QStringLiteral(REDRIVE_PROGRAM),
                      QStringList{u"--data"_s, m_folder.filePath(u"data"_s)} + words);
        process.waitForFinished(kPatienceMs);
        return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
                QString::fromUtf8(process.readAllStandardError())};
    }
    QStringList send(Verifier& verifier) const
    {
        const Outcome sent =
            run({u"enqueue"_s, u"webhook_fanout"_s, u"--payload"_s,
                 uR"({"eventType":"order.created","eventData":{"n":12345678901234567890}})"_s});
        return sent.code == 0 ? verifier.nextAccepted() : QStringList{sent.err};
    }
    void write(const QString& name, const QByteArray& text) const
    {
        QFile file(m_folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    }

private Q_SLOTS:
    void oldAndNewVerifiersAcceptUntilTheOverlapEnds()
    {
        const QString modules = QStringLiteral(MODULES);
        if (const QString obstacle = installVerifier(modules); !obstacle.isEmpty())
            QSKIP(qPrintable(u"no independent verifier: "_s + obstacle));

        QByteArray devVars;
        QByteArray json;
        for (const char* name : {"FIRST", "SECOND", "THIRD", "STRANGER"}) {
            const QByteArray secret = makeSigningSecret();
            devVars += name + ("=\"" + secret + "\"\n");
            json += (json.isEmpty() ? "{\"" : ",\"") + QByteArray(name) + "\":\"" + secret + '"';
        }
        write(u".dev.vars"_s, devVars);
        write(u"wrangler.toml"_s, "[[queues.producers]]\nbinding = \"J\"\nqueue = \"jobs\"\n"
                                  "[[queues.consumers]]\nqueue = \"jobs\"\nmax_batch_timeout = 0\n");
        Verifier verifier(modules, json + '}');
        ServeProcess serve(m_folder.path());
        QVERIFY2(serve.start(), serve.log());
        const auto change = [&](const QStringList& words) {
            const Outcome outcome = run(QStringList{u"endpoints"_s} + words);
            QTest::qWait(1'000); // a change of another process is in force within a second
            return outcome.code == 0 ? QString() : outcome.err;
        };
        // The engine notices what a command changed within a second.
        const auto becomes = [&](const QStringList& expected) {
            QElapsedTimer timer;
            timer.start();
            QStringList accepted = send(verifier);
            while (accepted != expected && timer.elapsed() < kPatienceMs)
                accepted = send(verifier);
            return accepted;
        };
        QCOMPARE(change({u"add"_s, u"acme"_s, u"--url"_s, verifier.url(), u"--settings"_s,
                         uR"({"events":["*"],"secret":["FIRST"]})"_s}),
                 QString());
        QCOMPARE(send(verifier), QStringList{u"FIRST"_s});

        // A day of overlap: whoever has only the old secret, or only the new one, accepts the same request.
        QCOMPARE(change({u"rotate"_s, u"acme"_s, u"--secret"_s, u"SECOND"_s}), QString());
        QCOMPARE(becomes({u"FIRST"_s, u"SECOND"_s}), (QStringList{u"FIRST"_s, u"SECOND"_s}));

        QCOMPARE(change({u"revoke"_s, u"acme"_s, u"--secret"_s, u"FIRST"_s}), QString());
        QCOMPARE(becomes({u"SECOND"_s}), QStringList{u"SECOND"_s});

        // A short overlap ends by itself; until then both.
        QCOMPARE(change({u"rotate"_s, u"acme"_s, u"--secret"_s, u"THIRD"_s, u"--overlap"_s, u"10"_s}),
                 QString());
        QCOMPARE(becomes({u"SECOND"_s, u"THIRD"_s}), (QStringList{u"SECOND"_s, u"THIRD"_s}));
        QCOMPARE(becomes({u"THIRD"_s}), QStringList{u"THIRD"_s});
        QVERIFY(!serve.log().contains("whsec_"));
        serve.signal(SIGTERM);
        QCOMPARE(serve.exitWithin(kPatienceMs), 0);
    }
};

QTEST_GUILESS_MAIN(RotationTest)
#include "rotation_test.moc"
