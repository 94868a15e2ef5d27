#include "ui/models/curl_text.h"

#include "core/base/result.h"

#include <QProcess>
#include <QTest>

using namespace redrive;

namespace {

// What a shell makes of the words.
QByteArray throughShell(const QString& words)
{
    QProcess shell;
    shell.start(u"bash"_s, {u"-c"_s, u"printf '%s\\0' "_s + words});
    shell.waitForFinished();
    return shell.readAllStandardOutput();
}

} // namespace

class CurlTextTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aWordStaysAWord_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("empty") << u""_s;
        QTest::newRow("plain") << u"{\"a\": 1}"_s;
        QTest::newRow("quote") << u"it's $(id) `id` \\ \" !! * ~ #"_s;
        QTest::newRow("two lines") << u"a\n'b'\tc\r\n"_s;
        QTest::newRow("terminal") << u"\x1b]0;x\x07 back\\slash 'q'"_s;
        QTest::newRow("line separators") << u"a\u2028b\u202Ec\u200Bd ž \U0001F600"_s;
    }
    void aWordStaysAWord()
    {
        QFETCH(QString, text);
        const QString word = shellWord(text);
        QCOMPARE(throughShell(word), text.toUtf8() + '\0');
        for (const QChar c : word)
            QVERIFY(c.category() != QChar::Other_Control && c.category() != QChar::Separator_Line);
    }

    void aRequestIsACommand()
    {
        const QString text =
            curlText(u"http://127.0.0.1:9/a'b"_s,
                     u"Content-Type: application/json\nwebhook-signature: ***\n"_s, "{\"n\":1}\n");
        const QByteArrayList words = throughShell(text).split('\0');
        QCOMPARE(words, (QByteArrayList{"curl", "--request", "POST", "http://127.0.0.1:9/a'b", "--header",
                                        "Content-Type: application/json", "--header",
                                        "webhook-signature: ***", "--data-binary", "{\"n\":1}\n", ""}));
        QVERIFY(curlText(u"http://x"_s, {}, "{}").contains(u"'Content-Type: application/json'"_s));
    }

    void bracketsInAUrlAreNoPattern_data()
    {
        QTest::addColumn<QString>("url");
        QTest::addColumn<bool>("globs");
        QTest::newRow("plain") << u"http://127.0.0.1:9/a?b=c"_s << false;
        QTest::newRow("address") << u"http://[::1]:9/"_s << true;
        QTest::newRow("braces") << u"http://x/{a,b}"_s << true;
    }
    void bracketsInAUrlAreNoPattern()
    {
        QFETCH(QString, url);
        QTEST(throughShell(curlText(url, {}, "{}")).split('\0').contains("--globoff"), "globs");
    }
};

QTEST_GUILESS_MAIN(CurlTextTest)
#include "curl_text_test.moc"
