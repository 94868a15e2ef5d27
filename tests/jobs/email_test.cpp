#include "core/jobs/email.h"

#include <QTest>

using namespace redrive;
using namespace Qt::Literals::StringLiterals;

class EmailTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void payloadsThatAreRefused_data()
    {
        QTest::addColumn<QByteArray>("payload");
        QTest::addColumn<QString>("field");
        const auto row = [](const char* name, const char* payload, const char* field) {
            QTest::newRow(name) << QByteArray(payload) << QString::fromLatin1(field);
        };
        row("nothing", "{}", "to");
        row("no array of text", "{\"to\":[1],\"subject\":\"s\",\"text\":\"t\"}", "to");
        row("no address", "{\"to\":\"anna\",\"subject\":\"s\",\"text\":\"t\"}", "to");
        row("two in one", "{\"to\":\"a@b.c, d@e.f\",\"subject\":\"s\",\"text\":\"t\"}", "to");
        row("no subject", "{\"to\":\"a@b.c\",\"text\":\"t\"}", "subject");
        row("no text", "{\"to\":\"a@b.c\",\"subject\":\"s\"}", "text");
        row("attachments", "{\"to\":\"a@b.c\",\"subject\":\"s\",\"text\":\"t\",\"attachments\":[]}",
            "attachments");
        row("subject injection", "{\"to\":\"a@b.c\",\"subject\":\"s\\r\\nBcc: x@y.z\",\"text\":\"t\"}",
            "subject");
        row("bare line feed", "{\"to\":\"a@b.c\",\"subject\":\"s\\nBcc: x@y.z\",\"text\":\"t\"}", "subject");
        row("to injection", "{\"to\":\"a@b.c>\\r\\nRCPT TO:<x@y.z\",\"subject\":\"s\",\"text\":\"t\"}", "to");
        row("name injection", "{\"to\":\"A\\r\\nX: y <a@b.c>\",\"subject\":\"s\",\"text\":\"t\"}", "to");
        row("from injection", "{\"to\":\"a@b.c\",\"subject\":\"s\",\"text\":\"t\",\"from\":\"a@b.c\\nX: y\"}",
            "from");
        row("reply_to injection",
            "{\"to\":\"a@b.c\",\"subject\":\"s\",\"text\":\"t\",\"reply_to\":\"a@b.c\\rX: y\"}", "reply_to");
        row("NUL", "{\"to\":\"a@b.c\",\"subject\":\"s\\u0000\",\"text\":\"t\"}", "subject");
        row("parameters", "{\"to\":\"a@b.c> SIZE=1\",\"subject\":\"s\",\"text\":\"t\"}", "to");
        row("cc", "{\"to\":\"a@b.c\",\"subject\":\"s\",\"text\":\"t\",\"cc\":[\"a@b.c\",\"@\"]}", "cc");
        row("bcc", "{\"to\":\"a@b.c\",\"subject\":\"s\",\"text\":\"t\",\"bcc\":{}}", "bcc");
    }
    void payloadsThatAreRefused()
    {
        QFETCH(QByteArray, payload);
        QFETCH(QString, field);
        const auto email = readEmail(payload, u"Redrive <redrive@example.com>"_s);
        QVERIFY(!email);
        QCOMPARE(email.error().field, field);
    }

    void aSenderIsNeeded()
    {
        const auto email = readEmail("{\"to\":\"a@b.c\",\"subject\":\"s\",\"text\":\"t\"}", {});
        QVERIFY(!email);
        QCOMPARE(email.error().field, u"from"_s);
    }

    void mailboxes_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("address");
        QTest::newRow("bare") << u" anna@example.com "_s << QString() << QByteArray("anna@example.com");
        QTest::newRow("named") << u"Anna B <anna+x@example.com>"_s << u"Anna B"_s
                               << QByteArray("anna+x@example.com");
        QTest::newRow("quoted") << u"\"B, Anna\" <anna@example.com>"_s << u"B, Anna"_s
                                << QByteArray("anna@example.com");
        QTest::newRow("quotes in quotes") << u"\"B \\\"x\\\" \\\\\" <anna@example.com>"_s << u"B \"x\" \\"_s
                                          << QByteArray("anna@example.com");
        QTest::newRow("international domain")
            << u"a@b\u00fccher.example"_s << QString() << QByteArray("a@xn--bcher-kva.example");
    }
    void mailboxes()
    {
        QFETCH(QString, text);
        QFETCH(QString, name);
        QFETCH(QByteArray, address);
        const auto box = readMailbox(text, u"to"_s);
        QVERIFY(box.has_value());
        QCOMPARE(box->name, name);
        QCOMPARE(box->address, address);
    }

    void theTextIsAsTheRulesWantIt()
    {
        Email email;
        email.from = {u"J\u00fcrgen"_s, "j@example.com"};
        email.to = {{u"B, \"Anna\""_s, "anna@example.com"}, {{}, "b@example.com"}};
        email.bcc = {{{}, "hidden@example.com"}};
        email.replyTo = Mailbox{{}, "r@example.com"};
        email.subject = u"Gr\u00fc\u00dfe "_s + QString(60, u'x') + u"\U0001F600"_s;
        email.text = u".\nline"_s;
        email.html = u"<b>line</b>"_s;
        const QByteArray text = emailText(email, "id@example.com", 1'900'000'000'000);
        QVERIFY(text.startsWith("Date: 17 Mar 2030 17:46:40 +0000\r\n"));
        QVERIFY(text.contains("From: =?UTF-8?B?" + QByteArray("J\xc3\xbcrgen").toBase64() +
                              "?= <j@example.com>\r\n"));
        QVERIFY(text.contains("To: \"B, \\\"Anna\\\"\" <anna@example.com>,\r\n b@example.com\r\n"));
        QVERIFY(text.contains("Reply-To: r@example.com\r\n"));
        QVERIFY(text.contains("Message-ID: <id@example.com>\r\n"));
        QVERIFY(!text.contains("hidden"));
        QVERIFY(text.contains("Content-Type: multipart/alternative; boundary=\"=_redrive_id@example.com\""));
        const QByteArrayList lines = text.split('\n');
        for (const QByteArray& line : lines) {
            QVERIFY2(line.size() <= 79, line);
            QVERIFY(line.isEmpty() || line.endsWith('\r'));
        }
        QCOMPARE(email.recipients(),
                 (QList<QByteArray>{"anna@example.com", "b@example.com", "hidden@example.com"}));
    }

    void aTextThatLooksEncodedStaysAsItIs()
    {
        Email email;
        email.from = {{}, "j@example.com"};
        email.to = email.cc = {email.from};
        email.subject = u"=?UTF-8?B?eA==?="_s;
        email.text = u"x"_s;
        const QByteArray text = emailText(email, "id@example.com", 0);
        QVERIFY(text.contains("Subject: =?UTF-8?B?" + email.subject.toLatin1().toBase64() + "?=\r\n"));
        QCOMPARE(email.recipients().size(), 1);
    }
};

QTEST_APPLESS_MAIN(EmailTest)
#include "email_test.moc"
