// The Activity page, and how the window tells of new alerts.
#include "tests/ui/support/page_fixture.h"
#include "tests/ui/support/sample_data.h"
#include "ui/models/activity_words.h"
#include "ui/models/english_plurals.h"
#include "ui/pages/activity_page.h"
#include "ui/pages/detail_values.h"
#include "ui/shell/alert_notifier.h"
#include "ui/widgets/row_table.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

using namespace redrive;
using namespace redrive::test;

namespace {

Alert alertNo(qint64 no, const QString& title = u"HTTP 503 (acme)"_s)
{
    Alert alert;
    alert.no = no;
    alert.title = title;
    alert.count = 1;
    return alert;
}

ChangeSet alertsChanged()
{
    ChangeSet changes;
    changes.alerts = true;
    return changes;
}

} // namespace

class ActivityPageTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QCoreApplication::installTranslator(new EnglishPlurals(this)); }

    void activityShowsActionsAndAlerts()
    {
        FakeEngine engine;
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        engine.setActivity(sampleActivity(now));
        engine.setActivityDetail(sampleActivityDetail(now));
        PageFixture<ActivityPage> at(engine);
        const QAbstractItemModelTester tester(at.page->model());
        QTRY_COMPARE(at.page->model()->loadedRows(), 4);
        const auto cell = [&](int row, int column) {
            return at.page->model()->index(row, column).data().toString();
        };
        QCOMPARE(cell(0, 1), u"Retrying"_s);
        QCOMPARE(cell(0, 2), u"Redrive"_s);
        QCOMPARE(cell(0, 3), u"Dead letters"_s);
        QCOMPARE(cell(0, 7), u"sent to 1, 1 still to arrive: HTTP 500: try later"_s);
        QCOMPARE(cell(1, 2), u"anna"_s);
        QCOMPARE(cell(1, 3), u"Requeue"_s);
        QCOMPARE(cell(1, 6), u"certificates were renewed"_s);
        QCOMPARE(cell(1, 7), u"212 done, 2 refused"_s);
        QCOMPARE(cell(2, 1), u"Sent"_s);
        QCOMPARE(cell(3, 3), u"Create token"_s);
        at.clickRow(0);
        QCOMPARE(at.page->currentId(), u"alert 7"_s);
        at.page->setFilter(u"kind:alert"_s);
        QTRY_COMPARE(engine.listRequests().last().filter, u"kind:alert"_s);
        QCOMPARE(engine.listRequests().last().kind, ListKind::Activity);
        QCOMPARE(at.page->children().first().filter, u"kind:alert"_s);
    }

    void whatComesOfAnAlertIsSeenAtOnce()
    {
        FakeEngine engine;
        auto rows = sampleActivity(QDateTime::currentMSecsSinceEpoch());
        engine.setActivity(rows);
        PageFixture<ActivityPage> at(engine);
        QTRY_COMPARE(at.page->model()->loadedRows(), 4);
        rows[0].sent = 2;
        rows[0].waiting = 0;
        rows[0].postError.clear();
        engine.setActivity(rows);
        ChangeSet changes;
        changes.alerts = true;
        engine.announce(changes);
        QTRY_COMPARE(at.page->model()->index(0, 1).data().toString(), u"Sent"_s);
    }

    void theDetailShowsExamplesAndPosts()
    {
        const qint64 now = 1'900'000'000'000;
        const auto entries = timelineOf(sampleActivityDetail(now), format::Zone::Utc);
        QCOMPARE(entries.size(), 7); // three examples, the last, the alert, two posts
        QVERIFY(entries.first().text.contains(u"delivery"_s));
        QCOMPARE(entries[5].text, u"Sent to Slack, https://hooks.slack.com/\u2026"_s);
        QVERIFY(entries.last().future);
        QVERIFY(entries.last().detail.contains(u"HTTP 500: try later"_s));
        ActivityDetail action;
        action.row = sampleActivity(now)[1];
        const auto done = timelineOf(action, format::Zone::Utc);
        QCOMPARE(done.size(), 1);
        QCOMPARE(done[0].text, u"Requeue by anna: 212 done, 2 refused"_s);
        QVERIFY(done[0].detail.contains(u"redrive #88"_s));
    }

    void whatWasThereBeforeIsNoNews()
    {
        FakeEngine engine;
        engine.setAlerts({alertNo(4), alertNo(3)});
        SystemClock clock;
        EngineBridge bridge(engine, clock);
        AlertNotifier notifier(bridge);
        QSignalSpy raised(&notifier, &AlertNotifier::raised);
        QSignalSpy unseen(&notifier, &AlertNotifier::unseenChanged);
        QObject context;
        bool answered = false; // behind the notifier's own question
        bridge.alertsAfter(&context, 0, [&](const Result<QList<Alert>>&) { answered = true; });
        QTRY_VERIFY(answered);
        QCOMPARE(raised.count(), 0);

        engine.setAlerts({alertNo(5), alertNo(4), alertNo(3)});
        engine.announce(alertsChanged());
        QTRY_COMPARE(raised.count(), 1);
        QCOMPARE(raised[0][0].toString(), u"1 dead letter"_s);
        QCOMPARE(raised[0][1].toString(), u"HTTP 503 (acme)"_s);
        engine.announce(alertsChanged()); // a post of it arrived
        answered = false;
        QTRY_VERIFY((bridge.alertsAfter(&context, 5, [&](const Result<QList<Alert>>&) { answered = true; }),
                     QTest::qWait(5), answered));
        QCOMPARE(raised.count(), 1);
        QCOMPARE(notifier.unseen(), 1);
        notifier.setSeen();
        QCOMPARE(unseen.last()[0].toInt(), 0);
    }

    void severalAreOneNotification()
    {
        QList<Alert> many;
        for (qint64 no = 5; no > 0; --no)
            many.append(alertNo(no, u"<b>kind</b> %1"_s.arg(no)));
        const AlertHeadline headline = alertHeadline(many);
        QCOMPARE(headline.title, u"5 alerts"_s);
        QCOMPARE(headline.text.split(u'\n').size(), 4);
        QVERIFY(headline.text.startsWith(u"1 dead letter: <b>kind</b> 5"_s));
        Alert digest = alertNo(9);
        digest.isDigest = true;
        digest.count = 49;
        QCOMPARE(alertHeadline({digest}).title, u"49 more dead letters"_s);
    }
};

QTEST_MAIN(ActivityPageTest)
#include "activity_page_test.moc"
