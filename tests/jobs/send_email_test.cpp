// send_email against a real mail server (aiosmtpd) in a process of its own.
#include "core/jobs/send_email_handler.h"
#include "tests/support/manual_clock.h"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>

#include <future>

using namespace redrive;
using namespace redrive::test;
using namespace Qt::Literals::StringLiterals;

namespace {

class MailServer final
{
public:
    explicit MailServer(const QStringList& arguments)
    {
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process.start(u"/usr/bin/python3"_s, QStringList{QStringLiteral(SMTP_SERVER)} + arguments);
        m_port = nextLine().trimmed().toInt();
    }
    ~MailServer()
    {
        m_process.kill();
        m_process.waitForFinished();
    }

    int port() const { return m_port; }
    QJsonObject nextMail() { return QJsonDocument::fromJson(nextLine()).object(); }

private:
    QByteArray nextLine()
    {
        while (!m_process.canReadLine())
            if (!m_process.waitForReadyRead(20'000))
                return {};
        return m_process.readLine();
    }

    QProcess m_process;
    int m_port = 0;
};

ClaimedJob mailTo(const QByteArray& recipient)
{
    ClaimedJob job;
    job.id = u"0192f0c1-0000-7000-8000-000000000001"_s;
    job.payload = "{\"to\":\"" + recipient +
                  "\",\"bcc\":[\"hidden@example.com\"],\"subject\":\"Gr\xc3\xbc\xc3\x9f"
                  "e\",\"text\":\".\\nfirst\\n..second\"}";
    return job;
}

} // namespace

class SendEmailTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_certificate = m_folder.filePath(u"cert.pem"_s);
    QString m_key = m_folder.filePath(u"key.pem"_s);
    ManualClock m_clock;

    static Settings settings(const QString& url)
    {
        Settings settings;
        settings.smtpUrl = url;
        settings.smtpFrom = u"Redrive <redrive@example.com>"_s;
        return settings;
    }

    HandlerOutcome send(const Settings& settings, const ClaimedJob& job) const
    {
        const StopSignal stop;
        return SendEmailHandler(settings, m_clock, m_certificate).run(job, stop);
    }

private Q_SLOTS:
    void initTestCase()
    {
        const int made = QProcess::execute(u"/usr/bin/openssl"_s,
                                           {u"req"_s, u"-x509"_s, u"-newkey"_s, u"rsa:2048"_s, u"-nodes"_s,
                                            u"-days"_s, u"2"_s, u"-subj"_s, u"/CN=localhost"_s, u"-addext"_s,
                                            u"subjectAltName=DNS:localhost"_s, u"-keyout"_s, m_key, u"-out"_s,
                                            m_certificate});
        QCOMPARE(made, 0);
    }

    void aMailArrives_data()
    {
        QTest::addColumn<QString>("mode");
        QTest::addColumn<bool>("auth");
        QTest::newRow("plain") << u"plain"_s << false;
        QTest::newRow("STARTTLS") << u"starttls"_s << false;
        QTest::newRow("STARTTLS and a password") << u"starttls"_s << true;
        QTest::newRow("smtps and a password") << u"smtps"_s << true;
    }
    void aMailArrives()
    {
        QFETCH(QString, mode);
        QFETCH(bool, auth);
        QStringList arguments{mode};
        if (mode != u"plain")
            arguments += {m_certificate, m_key};
        if (auth)
            arguments += u"auth"_s;
        MailServer server(arguments);
        Settings s =
            settings(u"%1://%2localhost:%3"_s
                         .arg(mode == u"smtps" ? u"smtps"_s : u"smtp"_s, auth ? u"anna@"_s : QString())
                         .arg(server.port()));
        s.secrets = {{u"MAIL_PASSWORD"_s, "pass word"}};
        if (auth)
            s.smtpPasswordSecret = u"MAIL_PASSWORD"_s;
        const HandlerOutcome outcome = send(s, mailTo("Anna <anna@example.com>"));
        QVERIFY2(outcome.result == HandlerResult::Done, qPrintable(outcome.error));
        QCOMPARE(outcome.content, "{\"messageId\":\"0192f0c1-0000-7000-8000-000000000001.1@example.com\","
                                  "\"recipients\":2}");
        const QJsonObject mail = server.nextMail();
        QCOMPARE(mail[u"from"_s].toString(), u"redrive@example.com"_s);
        QCOMPARE(mail[u"to"_s].toVariant().toStringList(),
                 (QStringList{u"anna@example.com"_s, u"hidden@example.com"_s}));
        QCOMPARE(mail[u"tls"_s].toBool(), mode != u"plain");
        QCOMPARE(mail[u"user"_s].toString(), auth ? u"anna"_s : QString());
        const QByteArray text = mail[u"text"_s].toString().toLatin1();
        QVERIFY(!text.contains("hidden"));
        const QByteArray body = text.mid(text.indexOf("\r\n\r\n") + 4);
        QCOMPARE(QByteArray::fromBase64(body), ".\r\nfirst\r\n..second");
    }

    void repliesMeanWhatTheySay_data()
    {
        QTest::addColumn<QByteArray>("recipient");
        QTest::addColumn<HandlerResult>("result");
        QTest::addColumn<QString>("error");
        QTest::newRow("4xx") << QByteArray("4xx@example.com") << HandlerResult::Transient
                             << u"SMTP 451 4.7.1 come back later"_s;
        QTest::newRow("5xx") << QByteArray("5xx@example.com") << HandlerResult::Permanent
                             << u"SMTP 550 5.1.1 no such user"_s;
        QTest::newRow("no address") << QByteArray("nobody") << HandlerResult::Permanent
                                    << u"'to' holds 'nobody', which is no address"_s;
        QTest::newRow("an injection") << QByteArray("a@b.c>\\r\\nDATA") << HandlerResult::Permanent
                                      << u"'to' must not hold line breaks or other control characters"_s;
    }
    void repliesMeanWhatTheySay()
    {
        QFETCH(QByteArray, recipient);
        QFETCH(HandlerResult, result);
        QFETCH(QString, error);
        MailServer server({u"plain"_s});
        const HandlerOutcome outcome =
            send(settings(u"smtp://localhost:%1"_s.arg(server.port())), mailTo(recipient));
        QCOMPARE(outcome.result, result);
        QCOMPARE(outcome.error, error);
    }

    void aWrongPasswordIsPermanentAndIsNotShown()
    {
        MailServer server({u"starttls"_s, m_certificate, m_key, u"auth"_s});
        Settings s = settings(u"smtp://anna@localhost:%1"_s.arg(server.port()));
        s.secrets = {{u"MAIL_PASSWORD"_s, "CANARY-7f31"}};
        s.smtpPasswordSecret = u"MAIL_PASSWORD"_s;
        const HandlerOutcome outcome = send(s, mailTo("anna@example.com"));
        QCOMPARE(outcome.result, HandlerResult::Permanent);
        QVERIFY2(outcome.error.startsWith(u"SMTP 535"), qPrintable(outcome.error));
        QVERIFY(!outcome.error.contains(u"CANARY"));
    }

    void aPasswordIsNotSentInTheClear()
    {
        MailServer server({u"plain"_s, u"auth"_s});
        Settings s = settings(u"smtp://anna@localhost:%1"_s.arg(server.port()));
        s.secrets = {{u"MAIL_PASSWORD"_s, "pass word"}};
        s.smtpPasswordSecret = u"MAIL_PASSWORD"_s;
        const HandlerOutcome outcome = send(s, mailTo("anna@example.com"));
        QCOMPARE(outcome.result, HandlerResult::Transient);
    }

    void anUnknownCertificateIsNotTrusted()
    {
        MailServer server({u"smtps"_s, m_certificate, m_key});
        const StopSignal stop;
        const Settings s = settings(u"smtps://localhost:%1"_s.arg(server.port()));
        const HandlerOutcome outcome = SendEmailHandler(s, m_clock).run(mailTo("anna@example.com"), stop);
        QCOMPARE(outcome.result, HandlerResult::Transient);
        QVERIFY2(outcome.error.contains(u"certificate"), qPrintable(outcome.error));
    }

    // The server says where it stands still; only then is the handler asked to stop.
    void aSlowServerAndAStopEndIt_data()
    {
        QTest::addColumn<QByteArray>("where");
        QTest::addColumn<bool>("stopped");
        for (const char* where : {"rcpt", "data"})
            for (const bool stopped : {false, true})
                QTest::addRow("%s, %s", where, stopped ? "stop" : "time limit")
                    << QByteArray(where) << stopped;
    }
    void aSlowServerAndAStopEndIt()
    {
        QFETCH(QByteArray, where);
        QFETCH(bool, stopped);
        MailServer server({u"plain"_s});
        Settings s = settings(u"smtp://localhost:%1"_s.arg(server.port()));
        s.handlers[u"send_email"_s].timeoutMs = stopped ? 60'000 : 2'000;
        SendEmailHandler handler(s, m_clock);
        StopSignal stop;
        auto running = std::async(
            std::launch::async, [&] { return handler.run(mailTo("slow-" + where + "@example.com"), stop); });
        QCOMPARE(server.nextMail()[u"waits"_s].toString(), QString::fromLatin1(where));
        QElapsedTimer timer;
        timer.start();
        stop.requested = stopped;
        const HandlerOutcome outcome = running.get();
        QCOMPARE(outcome.result, stopped ? HandlerResult::Cancelled : HandlerResult::TimedOut);
        if (stopped)
            QVERIFY2(timer.elapsed() < 1'000, qPrintable(QString::number(timer.elapsed())));
        else
            QCOMPARE(outcome.error, u"time limit of 2 s reached"_s);
    }

    void aServerThatSaysNothingIsLeft()
    {
        QTcpServer silent; // the system takes the connection
        QVERIFY(silent.listen(QHostAddress::LocalHost));
        Settings s = settings(u"smtp://127.0.0.1:%1"_s.arg(silent.serverPort()));
        s.handlers[u"send_email"_s].timeoutMs = 200;
        QCOMPARE(send(s, mailTo("anna@example.com")).result, HandlerResult::TimedOut);
        s.handlers[u"send_email"_s].timeoutMs = 0;
        StopSignal stop;
        stop.requested = true;
        QCOMPARE(SendEmailHandler(s, m_clock).run(mailTo("anna@example.com"), stop).result,
                 HandlerResult::Cancelled);
    }

    // libcurl would wait two minutes for the answer to its QUIT.
    void aServerWithoutAGoodbyeHasSaidWhatCounts_data()
    {
        QTest::addColumn<QByteArray>("recipient");
        QTest::addColumn<HandlerResult>("result");
        QTest::newRow("taken") << QByteArray("mute@example.com") << HandlerResult::Done;
        QTest::newRow("refused") << QByteArray("5xx.mute@example.com") << HandlerResult::Permanent;
    }
    void aServerWithoutAGoodbyeHasSaidWhatCounts()
    {
        QFETCH(QByteArray, recipient);
        QFETCH(HandlerResult, result);
        MailServer server({u"plain"_s});
        QElapsedTimer timer;
        timer.start();
        const HandlerOutcome outcome =
            send(settings(u"smtp://localhost:%1"_s.arg(server.port())), mailTo(recipient));
        QCOMPARE(outcome.result, result);
        QVERIFY(timer.elapsed() < 15'000);
    }

    void theUrlSaysWhetherTlsIsUsed_data()
    {
        QTest::addColumn<QString>("query");
        QTest::addColumn<bool>("offered");
        QTest::addColumn<bool>("trusted");
        QTest::addColumn<bool>("arrives");
        QTest::addColumn<bool>("tls");
        QTest::newRow("required") << u"?tls=required"_s << true << true << true << true;
        QTest::newRow("required, not offered") << u"?tls=required"_s << false << true << false << false;
        QTest::newRow("offered, not trusted") << QString() << true << false << false << false;
        QTest::newRow("none") << u"?tls=none"_s << true << false << true << false;
    }
    void theUrlSaysWhetherTlsIsUsed()
    {
        QFETCH(QString, query);
        QFETCH(bool, offered);
        QFETCH(bool, trusted);
        QFETCH(bool, arrives);
        QFETCH(bool, tls);
        MailServer server(offered ? QStringList{u"starttls"_s, m_certificate, m_key}
                                  : QStringList{u"plain"_s});
        const Settings s = settings(u"smtp://localhost:%1/here.example%2"_s.arg(server.port()).arg(query));
        const StopSignal stop;
        const HandlerOutcome outcome = SendEmailHandler(s, m_clock, trusted ? m_certificate : QString())
                                           .run(mailTo("anna@example.com"), stop);
        QCOMPARE(outcome.result, arrives ? HandlerResult::Done : HandlerResult::Transient);
        if (!arrives)
            return;
        const QJsonObject mail = server.nextMail();
        QCOMPARE(mail[u"tls"_s].toBool(), tls);
        QCOMPARE(mail[u"helo"_s].toString(), u"here.example"_s);
    }

    void aServerThatIsNotThereIsTriedAgain()
    {
        QCOMPARE(send(settings(u"smtp://127.0.0.1:1"_s), mailTo("anna@example.com")).result,
                 HandlerResult::Transient);
    }

    void withoutAServerItIsPermanent()
    {
        const HandlerOutcome outcome = send(settings({}), mailTo("anna@example.com"));
        QCOMPARE(outcome.result, HandlerResult::Permanent);
        QCOMPARE(outcome.error, u"there is no mail server: redrive.smtp.url is not set"_s);
    }
};

QTEST_GUILESS_MAIN(SendEmailTest)
#include "send_email_test.moc"
