// redrive receiver and redrive verify as real processes.
#include "core/net/signer.h"
#include "tests/app/program.h"
#include "tests/support/plain_client.h"

#include <QDateTime>
#include <QTest>

using namespace redrive;
using namespace redrive::test;

namespace {

constexpr char kSecret[] = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
constexpr char kDevVars[] = "ACME_SECRET=\"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\"\n"
                            "OTHER_SECRET=\"whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD\"\n";

PlainClient::Headers signedFields(const QByteArray& body, qint64 seconds = QDateTime::currentSecsSinceEpoch())
{
    return {{"webhook-id", "msg_1"},
            {"webhook-timestamp", QByteArray::number(seconds)},
            {"webhook-signature", webhookSignature({*parseSigningSecret(kSecret)}, "msg_1", seconds, body)}};
}

QByteArray asText(const PlainClient::Headers& fields, const QByteArray& body)
{
    QByteArray text = "POST /hooks HTTP/1.1\r\n";
    for (const auto& [name, value] : fields)
        text += name + ": " + value + "\r\n";
    return text + "\r\n" + body;
}

// The receiver until it is destroyed; then it has ended by SIGTERM.
class RunningReceiver final
{
public:
    RunningReceiver(const Program& program, const QStringList& options)
    {
        program.prepare(m_process, QStringList{u"receiver"_s, u"--json"_s} + options);
        m_process.start();
        m_url = nextLine().value(u"listen"_s).toString();
    }
    ~RunningReceiver() { stop(); }

    QString url() const { return m_url; }
    QJsonObject nextLine()
    {
        while (!m_process.canReadLine() && m_process.waitForReadyRead(Program::kPatienceMs)) {
        }
        const QByteArray line = m_process.readLine();
        m_seen += line;
        return QJsonDocument::fromJson(line).object();
    }
    int stop()
    {
        m_process.terminate();
        m_process.waitForFinished(Program::kPatienceMs);
        m_seen += m_process.readAllStandardOutput() + m_process.readAllStandardError();
        return m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
    }
    const QByteArray& seen() const { return m_seen; }

private:
    QProcess m_process;
    QString m_url;
    QByteArray m_seen;
};

} // namespace

class ReceiverCommandTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void receivesPrintsAndEnds()
    {
        const Program program;
        program.write(u"wrangler.toml"_s, "");
        program.write(u".dev.vars"_s, kDevVars);
        RunningReceiver receiver(program, {u"--secret"_s, u"ACME_SECRET"_s});
        QVERIFY2(receiver.url().startsWith(u"http://127.0.0.1:"_s), qPrintable(receiver.url()));
        const PlainClient client(receiver.url());
        QCOMPARE(client.post("/flaky/1", "{}", signedFields("{}")).status, 503);
        const QJsonObject first = receiver.nextLine();
        QCOMPARE(first.value(u"webhookId"_s).toString(), u"msg_1"_s);
        QCOMPARE(first.value(u"attempt"_s).toInt(), 1);
        QCOMPARE(first.value(u"signature"_s).toString(), u"good"_s);
        QCOMPARE(first.value(u"key"_s).toString(), u"ACME_SECRET"_s);
        QCOMPARE(first.value(u"bytes"_s).toInt(), 2);
        QCOMPARE(client.post("/flaky/1", "{ }", signedFields("{}")).status, 200);
        QCOMPARE(receiver.nextLine().value(u"signature"_s).toString(), u"near miss"_s);
        QCOMPARE(receiver.stop(), 0);
        QVERIFY(!receiver.seen().contains("MfKQ9r8"));
    }

    void scriptsAndCertificates()
    {
        const Program program;
        program.write(u"script.json"_s, "{\"/orders\": \"/gone\"}");
        RunningReceiver receiver(program, {u"--script"_s, u"script.json"_s});
        QCOMPARE(PlainClient(receiver.url()).post("/orders", "{}").status, 410);
        RunningReceiver tls(program, {u"--tls"_s, u"expired"_s});
        QVERIFY2(tls.url().startsWith(u"https://127.0.0.1:"_s), qPrintable(tls.url()));
    }

    void whatCannotBeDoneSaysWhy_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("message");
        const QString receiver = u"receiver"_s;
        QTest::newRow("not loopback")
            << QStringList{receiver, u"--listen"_s, u"0.0.0.0:0"_s} << 1 << u"127.0.0.1 or [::1] only"_s;
        QTest::newRow("no secret") << QStringList{receiver, u"--secret"_s, u"NOT_THERE"_s} << 1
                                   << u"there is no secret 'NOT_THERE'"_s;
        QTest::newRow("no script") << QStringList{receiver, u"--script"_s, u"none.json"_s} << 1
                                   << u"none.json cannot be read"_s;
        QTest::newRow("certificate kind")
            << QStringList{receiver, u"--tls"_s, u"good"_s} << 2 << u"self-signed, expired, wrong-name"_s;
        QTest::newRow("half a certificate")
            << QStringList{receiver, u"--cert"_s, u"a.pem"_s} << 2 << u"belong together"_s;
    }
    void whatCannotBeDoneSaysWhy()
    {
        QFETCH(QStringList, words);
        QFETCH(QString, message);
        const Program program;
        const Outcome outcome = program.run(words);
        QTEST(outcome.code, "code");
        QVERIFY2(outcome.err.contains(message), qPrintable(outcome.err));
    }

    void theHelpNamesThePaths()
    {
        const Program program;
        const Outcome help = program.run({u"receiver"_s, u"--help"_s});
        QCOMPARE(help.code, 0);
        for (const QString& word :
             {u"/flaky/3"_s, u"/retry-after/30"_s, u"GET /_arrivals"_s, u"--script FILE"_s})
            QVERIFY2(help.out.contains(word), qPrintable(word));
    }

    void verifies_data()
    {
        QTest::addColumn<QByteArray>("request");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("words");
        const auto fields = signedFields("{\"a\":1}");
        QTest::newRow("good") << asText(fields, "{\"a\":1}") << 0 << u"The key ACME_SECRET fits"_s;
        QTest::newRow("changed") << asText(fields, "{\"a\": 1}") << 1 << u"parsed and written again"_s;
        QTest::newRow("old") << asText(signedFields("{}", 1'600'000'000), "{}") << 1 << u"days ago"_s;
        QTest::newRow("wrong") << asText(fields, "{\"a\":2}") << 1 << u"None of 2 keys fits"_s;
        QTest::newRow("no request") << QByteArray("hello\n") << 2 << QString();
    }
    void verifies()
    {
        QFETCH(QByteArray, request);
        QFETCH(int, code);
        QFETCH(QString, words);
        const Program program;
        program.write(u"wrangler.toml"_s, "");
        program.write(u".dev.vars"_s, kDevVars);
        const Outcome outcome = program.run({u"verify"_s}, request);
        QCOMPARE(outcome.code, code);
        QVERIFY2(outcome.out.contains(words), qPrintable(outcome.out));
        QVERIFY(!outcome.out.contains(u"MfKQ9r8"_s));
        program.write(u"request.txt"_s, request);
        QCOMPARE(program.run({u"verify"_s, u"request.txt"_s, u"--json"_s}).code, code);
    }

    void anotherKeyThanTheOneAskedFor()
    {
        const Program program;
        program.write(u"wrangler.toml"_s, "");
        program.write(u".dev.vars"_s, kDevVars);
        program.write(u"secret.txt"_s, QByteArray(kSecret) + "\n");
        const QByteArray request = asText(signedFields("{}"), "{}");
        const Outcome other =
            program.run({u"verify"_s, u"--secret"_s, u"OTHER_SECRET"_s, u"--json"_s}, request);
        QCOMPARE(other.code, 1);
        QCOMPARE(other.json().value(u"verdict"_s).toString(), u"other key"_s);
        QCOMPARE(other.json().value(u"key"_s).toString(), u"ACME_SECRET"_s);
        const Outcome file = program.run({u"verify"_s, u"--secret-file"_s, u"secret.txt"_s, u"-"_s}, request);
        QVERIFY2(file.code == 0, qPrintable(file.out + file.err));
        QVERIFY(file.out.contains(u"secret.txt"_s));
    }

    void whatIsTooLongIsNotCutShort()
    {
        const Program program;
        program.write(u"wrangler.toml"_s, "");
        program.write(u"secret.txt"_s, QByteArray(10'001, 'x'));
        const Outcome secret = program.run({u"verify"_s, u"--secret-file"_s, u"secret.txt"_s}, "x");
        QCOMPARE(secret.code, 1);
        QVERIFY2(secret.err.contains(u"secret.txt has 10001 bytes; at most 10000 are read"_s),
                 qPrintable(secret.err));
        const QByteArray request = asText(signedFields("{}"), QByteArray(16'000'000, ' '));
        program.write(u"request.txt"_s, request);
        const Outcome file = program.run({u"verify"_s, u"request.txt"_s});
        QCOMPARE(file.code, 1);
        QVERIFY2(
            file.err.contains(u"request.txt has %1 bytes; at most 16000000 are read"_s.arg(request.size())),
            qPrintable(file.err));
        const Outcome input = program.run({u"verify"_s}, request);
        QCOMPARE(input.code, 1);
        QVERIFY2(
            input.err.contains(u"standard input has more than 16000000 bytes; at most 16000000 are read"_s),
            qPrintable(input.err));
    }
};

QTEST_GUILESS_MAIN(ReceiverCommandTest)
#include "receiver_command_test.moc"
