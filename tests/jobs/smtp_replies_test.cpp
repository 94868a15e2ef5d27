#include "core/jobs/smtp_replies.h"

#include "core/base/result.h"

#include <QTest>

using namespace redrive;

class SmtpRepliesTest : public QObject
{
    Q_OBJECT

    static SmtpReplies said(const QByteArrayList& lines)
    {
        SmtpReplies replies;
        for (const QByteArray& line : lines)
            replies.takeLine(line);
        return replies;
    }

private Q_SLOTS:
    void theLastWholeReplyCounts()
    {
        const SmtpReplies replies = said({"220 hello\r\n", "550-5.1.1 no such\r\n", "550 user\r\n"});
        QCOMPARE(replies.code(), 550);
        QCOMPARE(replies.text(), u"550 5.1.1 no such user"_s);
        QCOMPARE(said({"220 hello\r\n", "550-half\r\n"}).code(), 220);
        QCOMPARE(said({"250\r\n"}).text(), u"250"_s);
        QCOMPARE(said({"no reply\r\n", "\r\n", "5\r\n"}).code(), 0);
        QVERIFY(said({"550 " + QByteArray(100'000, 'x')}).text().size() <= 510);
    }

    void aMailIsTakenOnlyByTheAnswerToItsLastDot()
    {
        QVERIFY(!said({"250 ok", "354 go on"}).accepted());
        QVERIFY(!said({"250 ok", "354 go on", "250-taken"}).accepted());
        QVERIFY(!said({"250 ok", "354 go on", "452 full", "250 ok"}).accepted());
        QVERIFY(said({"250 ok", "354 go on", "250-taken", "250 really"}).accepted());
        QVERIFY(said({"354 go on", "250 taken", "421 bye"}).accepted());
    }
};

QTEST_APPLESS_MAIN(SmtpRepliesTest)
#include "smtp_replies_test.moc"
