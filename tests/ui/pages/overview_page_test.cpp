#include "core/domain/filter.h"
#include "tests/ui/support/page_fixture.h"
#include "tests/ui/support/sample_data.h"
#include "ui/pages/overview_page.h"
#include "ui/pages/overview_tiles.h"
#include "ui/widgets/row_table.h"
#include "ui/widgets/theme_controller.h"
#include "ui/widgets/tile_band.h"

#include <QSignalSpy>

using namespace redrive;
using namespace redrive::test;

class OverviewPageTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_themes = std::make_unique<ThemeController>(*qApp); }

    void aQueueIsPausedAndResumed()
    {
        FakeEngine engine;
        fillWithSamples(engine, QDateTime::currentMSecsSinceEpoch());
        ActionResult result;
        result.total = result.succeeded = 1;
        engine.setActionResult(result);
        PageFixture<OverviewPage> at(engine);
        QTRY_COMPARE(at.page->table()->model()->rowCount(), 6);
        at.clickRow(0);
        QTRY_VERIFY(at.button(u"Pause jobs"_s));
        QVERIFY(!at.button(u"Resume jobs"_s)->isEnabled());
        QTest::mouseClick(at.button(u"Pause jobs"_s), Qt::LeftButton);
        QTRY_COMPARE(at.messages, QStringList{u"1 of 1 paused"_s});
        QCOMPARE(engine.actions().first().verb, ActionVerb::PauseQueue);
        QCOMPARE(engine.actions().first().scope.queue, u"jobs"_s);
        at.clickRow(3);
        QVERIFY(at.button(u"Resume reports"_s)->isEnabled());
        QVERIFY(!at.button(u"Pause reports"_s)->isEnabled());
    }

    void everyFigureLeadsToItsRows()
    {
        FakeEngine engine;
        fillWithSamples(engine, QDateTime::currentMSecsSinceEpoch());
        PageFixture<OverviewPage> at(engine);
        QSignalSpy wanted(at.page.get(), &Page::pageWanted);
        const auto tiles = at.page->tiles()->findChildren<Tile*>();
        QCOMPARE(tiles.size(), int(kOverviewTiles));
        for (auto* tile : tiles)
            QTest::mouseClick(tile, Qt::LeftButton);
        QCOMPARE(wanted.count(), int(kOverviewTiles));
        QCOMPARE(wanted.at(DeadTile).at(0).toString(), u"dead-letters"_s);
        for (const auto& call : wanted)
            QVERIFY(parseFilter(call.at(1).toString()));
    }

    void aQueueOfAnyNameIsAFilter()
    {
        FakeEngine engine;
        StoreCounts counts;
        QueueStats queue;
        queue.name = u"my \"odd\\ queue"_s;
        counts.queues = {queue};
        engine.setCounts(counts);
        PageFixture<OverviewPage> at(engine);
        QSignalSpy wanted(at.page.get(), &Page::pageWanted);
        QTRY_COMPARE(at.page->table()->model()->rowCount(), 1);
        at.page->table()->setCurrentIndex(at.page->table()->model()->index(0, 0));
        QTest::keyClick(at.page->table(), Qt::Key_Return);
        QCOMPARE(wanted.count(), 1);
        const auto filter = parseFilter(wanted.at(0).at(1).toString());
        QVERIFY(filter);
        QCOMPARE(filter->root.term.text, queue.name);
    }

    void unknownFiguresAreDashes()
    {
        OverviewFigures figures;
        QCOMPARE(overviewTile(DeadTile, figures).figure, format::unknown());
        StoreCounts counts;
        figures.counts = &counts;
        QCOMPARE(overviewTile(DeadTile, figures).figure, u"0"_s);
        QCOMPARE(overviewTile(OldestTile, figures).figure, format::unknown());
    }

    void anOpenBreakerLeadsToWhatWaitsForIt()
    {
        FakeEngine engine;
        const qint64 nowMs = QDateTime::currentMSecsSinceEpoch();
        fillWithSamples(engine, nowMs);
        StoreCounts counts = sampleCounts(nowMs);
        counts.openBreakers = 1;
        counts.breakers = {{u"my \"odd\" one"_s, nowMs, nowMs + 42'000, 1}};
        engine.setCounts(counts);
        PageFixture<OverviewPage> at(engine);
        QTRY_VERIFY(at.bridge.counts() && at.bridge.counts()->openBreakers == 1);
        QSignalSpy wanted(at.page.get(), &Page::pageWanted);
        QTest::mouseClick(at.page->tiles()->findChildren<Tile*>()[BreakersTile], Qt::LeftButton);
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(wanted.at(0).at(0).toString(), u"deliveries"_s);
        const auto filter = parseFilter(wanted.at(0).at(1).toString());
        QVERIFY(filter);
        QVERIFY(wanted.at(0).at(1).toString().contains(u"odd"_s));

        OverviewFigures figures;
        figures.counts = &counts;
        figures.nowMs = nowMs;
        QCOMPARE(overviewTile(BreakersTile, figures).figure, u"1"_s);
        QVERIFY(overviewTile(BreakersTile, figures).context.contains(u"probes in 42 s"_s));
        counts.breakers.clear();
        QCOMPARE(overviewTile(BreakersTile, figures).context, u"deliveries open: 214"_s);
    }

    void throughputComesFromTotals()
    {
        ThroughputHistory history;
        EngineRates totals;
        totals.done = 1000;
        history.take(totals, 1'000'000);
        QCOMPARE(history.steps().back().done, 0.0); // what was before is not known
        totals.done = 1050;
        totals.dead = 5;
        history.take(totals, 1'001'000);
        QCOMPARE(history.steps().back().done, 10.0);
        QCOMPARE(history.steps().back().dead, 1.0);
        history.take(totals, 1'016'000, 70);
        QCOMPARE(history.steps().back().backlog, 70.0); // a level: what it is now
        QCOMPARE(history.steps().front().backlog, 0.0);
        QCOMPARE(history.steps().size(), size_t(4));
        QCOMPARE(history.steps().back().done, 0.0);
        totals = {};
        totals.done = 5; // the engine began again
        history.take(totals, 1'017'000);
        QCOMPARE(history.steps().back().done, 1.0);
        history.take(totals, 9'000'000);
        QCOMPARE(history.steps().size(), size_t(1));
    }

private:
    std::unique_ptr<ThemeController> m_themes;
};

QTEST_MAIN(OverviewPageTest)
#include "overview_page_test.moc"
