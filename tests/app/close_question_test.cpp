// What the desktop is given to show.
#include "app/close_question.h"

#include <QTest>

using namespace redrive;

class CloseQuestionTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void theTrayGetsNoMarkup()
    {
        QCOMPARE(CloseQuestion::trayText(QStringLiteral("<b>HTTP 503</b> & <a href=\"http://x\">here</a>")),
                 QStringLiteral(
                     "&lt;b&gt;HTTP 503&lt;/b&gt; &amp; &lt;a href=&quot;http://x&quot;&gt;here&lt;/a&gt;"));
        QCOMPARE(CloseQuestion::trayText(QStringLiteral("49 more dead letters")),
                 QStringLiteral("49 more dead letters"));
    }
};

QTEST_GUILESS_MAIN(CloseQuestionTest)
#include "close_question_test.moc"
