#include "tests/ui/support/page_fixture.h"
#include "tests/ui/support/sample_data.h"
#include "ui/dialogs/purge_dialog.h"
#include "ui/models/queues_model.h"
#include "ui/pages/queue_detail.h"
#include "ui/pages/queues_page.h"
#include "ui/widgets/row_table.h"
#include "ui/widgets/theme_controller.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QLineEdit>
#include <QSignalSpy>

using namespace redrive;
using namespace redrive::test;

class QueuesPageTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_themes = std::make_unique<ThemeController>(*qApp); }

    void pausesAndResumesByKey()
    {
        FakeEngine engine;
        fillWithSamples(engine, QDateTime::currentMSecsSinceEpoch());
        ActionResult result;
        result.total = result.succeeded = 1;
        engine.setActionResult(result);
        PageFixture<QueuesPage> at(engine);
        QTRY_COMPARE(at.page->table()->model()->rowCount(), 6);
        at.clickRow(0);
        QTRY_VERIFY(at.button(u"Pause"_s)->isEnabled());
        QVERIFY(!at.button(u"Resume"_s)->isEnabled());
        QTest::keyClick(at.page->table(), Qt::Key_P);
        QTRY_COMPARE(at.messages, QStringList{u"1 of 1 paused"_s});
        QCOMPARE(engine.actions().first().verb, ActionVerb::PauseQueue);
        QCOMPARE(engine.actions().first().scope.queue, u"jobs"_s);
        QCOMPARE(engine.actions().first().actor, u"anna"_s);
        at.clickRow(3);
        QVERIFY(at.button(u"Resume"_s)->isEnabled());
        QTest::keyClick(at.page->table(), Qt::Key_R);
        QTRY_COMPARE(engine.actions().size(), 2);
        QCOMPARE(engine.actions().last().verb, ActionVerb::ResumeQueue);
        QCOMPARE(engine.actions().last().scope.queue, u"reports"_s);
    }

    void purgeNeedsTheTypedNumber()
    {
        FakeEngine engine;
        fillWithSamples(engine, QDateTime::currentMSecsSinceEpoch());
        ActionPlan plan;
        plan.total = 1942;
        plan.willAct = 1912;
        plan.skipped = {{u"in flight: it finishes"_s, 30}};
        plan.cutoff = 77;
        engine.setPlan(plan);
        PageFixture<QueuesPage> at(engine);
        QTRY_COMPARE(at.page->table()->model()->rowCount(), 6);
        at.clickRow(0);
        QTest::mouseClick(at.button(u"Purge"_s), Qt::LeftButton);
        auto* dialog = at.page->purgeDialog();
        QVERIFY(dialog != nullptr);
        QTRY_VERIFY(dialog->numberField()->isVisible());
        QVERIFY(!dialog->purgeButton()->isEnabled());
        QTest::keyClicks(dialog->numberField(), u"1911"_s);
        QVERIFY(!dialog->purgeButton()->isEnabled());
        dialog->numberField()->clear();
        QTest::keyClicks(dialog->numberField(), u"1912"_s);
        QVERIFY(dialog->purgeButton()->isEnabled());
        QVERIFY2(dialog->purgeButton()->text().contains(format::number(qint64(1912))),
                 qPrintable(dialog->purgeButton()->text()));
        QVERIFY(engine.actions().isEmpty());
        QTest::mouseClick(dialog->purgeButton(), Qt::LeftButton);
        QTRY_COMPARE(engine.actions().size(), 1);
        QCOMPARE(engine.actions().first().verb, ActionVerb::PurgeQueue);
        QCOMPARE(engine.actions().first().scope.queue, u"jobs"_s);
        QCOMPARE(engine.actions().first().scope.cutoff, std::optional<qint64>(77));
        QTRY_VERIFY(!at.page->purgeDialog());
    }

    void anEmptyQueueCannotBePurged()
    {
        FakeEngine engine;
        fillWithSamples(engine, QDateTime::currentMSecsSinceEpoch());
        PageFixture<QueuesPage> at(engine);
        QTRY_COMPARE(at.page->table()->model()->rowCount(), 6);
        at.clickRow(5);
        QVERIFY(!at.button(u"Purge"_s)->isEnabled());
        QTest::keyClick(at.page->table(), Qt::Key_P, Qt::ShiftModifier);
        QVERIFY(!at.page->purgeDialog());
    }

    void filtersByName()
    {
        FakeEngine engine;
        fillWithSamples(engine, QDateTime::currentMSecsSinceEpoch());
        PageFixture<QueuesPage> at(engine);
        QTRY_COMPARE(at.page->table()->model()->rowCount(), 6);
        QAbstractItemModelTester tester(at.page->table()->model(),
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        QSignalSpy rejected(at.page.get(), &Page::filterRejected);
        at.page->setFilter(u"jobs"_s);
        QCOMPARE(at.page->table()->model()->rowCount(), 2);
        at.page->setFilter(u"queue:jobs OR queue:mail"_s);
        QCOMPARE(at.page->table()->model()->rowCount(), 2);
        QCOMPARE(rejected.count(), 0);
        at.page->setFilter(u"attempt:>3"_s);
        QCOMPARE(rejected.count(), 1);
        at.page->setFilter(u"no such"_s);
        QCOMPARE(at.page->table()->model()->rowCount(), 0);
        at.page->setFilter({});
        QCOMPARE(at.page->table()->model()->rowCount(), 6);
    }

    void linksLeadToTheRowsOfAnyName()
    {
        FakeEngine engine;
        StoreCounts counts;
        QueueStats queue;
        queue.name = u"my \"odd\\ <b>queue"_s;
        counts.queues = {queue};
        engine.setCounts(counts);
        PageFixture<QueuesPage> at(engine);
        QSignalSpy wanted(at.page.get(), &Page::pageWanted);
        QTRY_COMPARE(at.page->table()->model()->rowCount(), 1);
        at.page->pageActions().at(3)->trigger();
        QCOMPARE(wanted.count(), 1);
        const auto filter = parseFilter(wanted.at(0).at(1).toString());
        QVERIFY(filter);
        QCOMPARE(filter->root.term.text, queue.name);
        QCOMPARE(at.page->currentId(), queue.name);
    }

    void statesSayWhy_data()
    {
        QTest::addColumn<QueueStats>("queue");
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("why");
        QueueStats queue;
        queue.declared = queue.hasConsumer = true;
        QTest::newRow("idle") << queue << u"Idle"_s << QString();
        queue.waiting = 1;
        QTest::newRow("waiting") << queue << u"Waiting"_s << QString();
        queue.inFlight = 1;
        QTest::newRow("working") << queue << u"Working"_s << QString();
        QueueStats pulled = queue;
        pulled.hasConsumer = false;
        pulled.consumption.declared = pulled.consumption.pulled = true;
        QTest::newRow("http_pull") << pulled << u"Pulled"_s << u"pulled over HTTP: nothing is delivered"_s;
        QueueStats none = queue;
        none.hasConsumer = false;
        QTest::newRow("no consumer") << none << u"No consumer"_s << u"nothing consumes it"_s;
        queue.paused = true;
        queue.pausedBy = u"anna"_s;
        QTest::newRow("paused") << queue << u"Paused"_s << u"paused by anna"_s;
    }

    void statesSayWhy()
    {
        QFETCH(QueueStats, queue);
        QTEST(stateOfQueue(queue).word, "word");
        QTEST(whyOfQueue(queue), "why");
    }

    void theDetailTellsItsSettings()
    {
        QueueStats queue;
        queue.retentionMs = 60'000;
        queue.deliveryDelayMs = 2'000;
        queue.consumption.declared = true;
        queue.consumption.maxRetries = 2;
        const auto valueOf = [](const QList<FactView>& facts, const QString& label) {
            for (const auto& fact : facts)
                if (fact.label == label)
                    return fact.value;
            return QString();
        };
        const auto settings = queueSettings(queue);
        QCOMPARE(valueOf(settings, u"Deliveries"_s), u"3"_s);
        QCOMPARE(valueOf(settings, u"Kept for"_s), format::duration(60'000));
        QCOMPARE(valueOf(settings, u"Delay"_s), format::duration(2'000));
        QCOMPARE(valueOf(settings, u"Dead letters"_s), u"none: used-up messages are dropped"_s);
        QCOMPARE(valueOf(queueFacts(queue, 1, format::Zone::Utc), u"Oldest"_s), u"nothing waits"_s);
    }

private:
    std::unique_ptr<ThemeController> m_themes;
};

QTEST_MAIN(QueuesPageTest)
#include "queues_page_test.moc"
