#include "core/domain/telemetry_lag.h"
#include "tests/ui/support/page_fixture.h"
#include "tests/ui/support/sample_data.h"
#include "ui/pages/telemetry_page.h"
#include "ui/pages/telemetry_strip.h"
#include "ui/pages/telemetry_tiles.h"
#include "ui/widgets/detail_pane.h"
#include "ui/widgets/filter_bar.h"
#include "ui/widgets/look.h"
#include "ui/widgets/row_table.h"
#include "ui/widgets/theme_controller.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QCompleter>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalSpy>

using namespace redrive;
using namespace redrive::test;

namespace {

StoreCounts countsWith(qint64 rows, qint64 deadLetters)
{
    StoreCounts counts;
    counts.telemetry.size = {rows, rows * 100};
    QueueStats queue;
    queue.name = u"telemetry"_s;
    queue.deadLetters = deadLetters;
    queue.waiting = 12;
    counts.queues = {queue};
    return counts;
}

bool shows(const QWidget* page, const QString& text)
{
    for (const auto* label : page->findChildren<QLabel*>())
        if (label->isVisible() && label->text().contains(text))
            return true;
    return false;
}

QAction* actionOf(const Page& page, const QString& text)
{
    for (auto* action : page.pageActions())
        if (action->text().startsWith(text))
            return action;
    return nullptr;
}

QPoint placeOf(const TelemetryStrip* strip, int minute, int of)
{
    const int inset = 16;
    return {inset + (strip->width() - 2 * inset) * (2 * minute + 1) / (2 * of), strip->height() - 40};
}

} // namespace

class TelemetryPageTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_themes = std::make_unique<ThemeController>(*qApp); }

    void init()
    {
        m_now = QDateTime::currentMSecsSinceEpoch();
        m_engine = std::make_unique<FakeEngine>();
        EngineFacts facts;
        facts.telemetryQueue = u"telemetry"_s;
        m_engine->setFacts(facts);
        EngineHealth health;
        health.running = true;
        health.listenUrl = u"http://127.0.0.1:8787"_s;
        m_engine->setHealth(health);
        m_engine->setCounts(countsWith(300, 3));
        m_engine->setTelemetry(sampleTelemetry(m_now, 300));
        m_engine->setTelemetryMinutes(sampleMinutes(m_now));
    }

    void showsRowsAndTheirPayloads()
    {
        PageFixture<TelemetryPage> at(*m_engine);
        QTRY_COMPARE(at.page->model()->rowCount(), 300);
        QTRY_VERIFY(at.page->model()->rowAt(0));
        QCOMPARE(at.page->scopeText(), u"300 in all"_s);
        QCOMPARE(at.page->model()->index(0, 1).data().toString(), u"acme"_s);
        QCOMPARE(at.page->model()->index(0, 2).data().toString(), u"audit"_s);
        QCOMPARE(at.page->model()->index(0, 3).data().toString().left(34),
                 u"{ \"source\": \"audit\", \"tenantId\": \""_s);
        at.clickRow(0);
        auto* pane = at.page->detail();
        pane->show();
        const auto payload = [pane] { return pane->findChild<QPlainTextEdit*>()->toPlainText(); };
        QTRY_VERIFY(payload().contains(u"invoice.approved"_s));
        QTRY_VERIFY(shows(pane, u"audit of acme"_s));
        static_cast<DetailPane*>(pane)->setCurrentTab(1);
        QVERIFY(shows(pane, u"Accepted"_s));
        actionOf(*at.page, u"Copy as JSON"_s)->trigger();
        QVERIFY(QGuiApplication::clipboard()->text().startsWith(u"{\"id\":\"01a22cd3"));
        QVERIFY(QGuiApplication::clipboard()->text().contains(u"invoice.approved"));
        QVERIFY(!actionOf(*at.page, u"Copy as curl"_s)->isVisible());
    }

    void newRowsComeByThemselves()
    {
        PageFixture<TelemetryPage> at(*m_engine);
        QTRY_COMPARE(at.page->model()->rowCount(), 300);
        m_engine->setTelemetry(sampleTelemetry(m_now, 301));
        ChangeSet changes;
        changes.telemetry = true;
        m_engine->announce(changes);
        QTRY_COMPARE(at.page->model()->rowCount(), 301);
    }

    void aMinuteBecomesTheFilter()
    {
        PageFixture<TelemetryPage> at(*m_engine);
        auto* strip = at.page->strip();
        QTRY_COMPARE(strip->history().bars().size(), 60);
        at.page->setFilter(u"login OR age:<1h"_s);
        at.page->setFilter(u"tenant:acme age:<1h"_s);
        QSignalSpy changed(at.page.get(), &Page::filterChanged);
        QTest::mouseClick(strip, Qt::LeftButton, {}, placeOf(strip, 30, 60));
        QCOMPARE(changed.size(), 1);
        const qint64 from = strip->history().fromMs() + 30 * kMsOfMinute;
        const auto time = [](qint64 ms) {
            return QDateTime::fromMSecsSinceEpoch(ms, Qt::UTC).toString(u"yyyy-MM-dd'T'HH:mm'Z'"_s);
        };
        const QString filter = u"tenant:acme since:%1 until:%2"_s.arg(time(from), time(from + kMsOfMinute));
        QCOMPARE(at.page->filter(), filter);
        QTRY_COMPARE(m_engine->listRequests().last().filter, filter);

        // A drag takes the place of it, and Esc takes it out.
        QTest::mousePress(strip, Qt::LeftButton, {}, placeOf(strip, 10, 60));
        QTest::mouseMove(strip, placeOf(strip, 14, 60));
        QTest::mouseRelease(strip, Qt::LeftButton, {}, placeOf(strip, 14, 60));
        const qint64 first = strip->history().fromMs() + 10 * kMsOfMinute;
        QCOMPARE(at.page->filter(),
                 u"tenant:acme since:%1 until:%2"_s.arg(time(first), time(first + 5 * kMsOfMinute)));
        QTest::keyClick(strip, Qt::Key_Escape);
        QCOMPARE(at.page->filter(), u"tenant:acme"_s);

        // The keyboard: the last two minutes.
        for (int i = 0; i < 2; ++i)
            QTest::keyClick(strip, Qt::Key_Left, i == 0 ? Qt::NoModifier : Qt::ShiftModifier);
        QTest::keyClick(strip, Qt::Key_Return);
        QCOMPARE(at.page->filter(),
                 u"tenant:acme since:%1 until:%2"_s.arg(time(strip->history().toMs() - 2 * kMsOfMinute),
                                                        time(strip->history().toMs())));
    }

    void theTenantOfTheStripIsTheFilters()
    {
        PageFixture<TelemetryPage> at(*m_engine);
        auto* strip = at.page->strip();
        auto* tenants = strip->findChild<QComboBox*>();
        QTRY_COMPARE(tenants->count(), 5);
        QCOMPARE(tenants->currentText(), u"All tenants"_s);
        qint64 all = 0;
        for (const TelemetryBar& bar : strip->history().bars())
            all += bar.all;
        QCOMPARE(all, sampleMinutes(m_now).rows);
        tenants->setCurrentIndex(2);
        Q_EMIT tenants->activated(2);
        QCOMPARE(at.page->filter(), u"tenant:northwind"_s);
        at.page->setFilter(u"login tenant:nobody"_s);
        QCOMPARE(tenants->currentText(), u"nobody"_s);
        at.page->setFilter({});
        QCOMPARE(tenants->currentText(), u"All tenants"_s);
        QVERIFY(at.page->filterWords().contains(u"tenant:kestrel-pay"_s));
        QVERIFY(at.page->filterWords().contains(u"source:metric"_s));
    }

    void onlyTheEndIsCountedAgain()
    {
        TelemetryMinutes counted = sampleMinutes(m_now);
        TelemetryHistory history;
        history.take(counted, true);
        const auto whole = history.bars();
        TelemetryMinutes end;
        end.fromMs = counted.toMs - 2 * kMsOfMinute;
        end.toMs = counted.toMs + kMsOfMinute; // a minute has passed
        end.minutes = {{end.fromMs, u"acme"_s, u"trace"_s, 7}, {counted.toMs, u"acme"_s, u"audit"_s, 5}};
        history.take(end, false);
        const auto bars = history.bars();
        QCOMPARE(bars.size(), 60);
        QCOMPARE(bars.first().atMs, whole[1].atMs);
        QCOMPARE(bars[10].all, whole[11].all);
        QCOMPARE(bars[57].all, 7); // what was counted before is replaced
        QCOMPARE(bars[58].all, 0);
        QCOMPARE(bars[59].rows, (QList<qint64>{5, 0, 0}));
        QVERIFY(!history.countedFromMs());
        end.cut = true;
        history.take(end, false);
        QCOMPARE(history.countedFromMs(), std::optional(end.fromMs));
        QCOMPARE(history.bars()[10].all, 0);

        PageFixture<TelemetryPage> at(*m_engine);
        QTRY_COMPARE(m_engine->minutesAsked().size(), 1);
        const auto first = m_engine->minutesAsked().first();
        QVERIFY(first.second - first.first > 59 * kMsOfMinute);
        QTRY_VERIFY_WITH_TIMEOUT(m_engine->minutesAsked().size() > 1, 8'000);
        const auto second = m_engine->minutesAsked().at(1);
        QVERIFY(second.second - second.first < 5 * kMsOfMinute);
    }

    void figuresLeadToTheirRows()
    {
        EngineHealth health = m_engine->health();
        health.telemetry.consumed = true;
        health.telemetry.rows = 1'234;
        health.telemetry.rowsPerSecond = 41.6;
        health.telemetry.lagMs = 210;
        health.telemetry.lastRowMs = QDateTime::currentMSecsSinceEpoch();
        health.telemetry.recentBatchSizes = {100, 100, 37};
        health.telemetry.isolations = 2;
        m_engine->setHealth(health);
        PageFixture<TelemetryPage> at(*m_engine);
        at.bridge.refresh();
        QTRY_VERIFY(at.bridge.counts());
        const auto tiles = at.page->tiles()->findChildren<Tile*>();
        QCOMPARE(tiles.size(), int(kTelemetryTiles));
        QTRY_COMPARE(tiles[RateTile]->accessibleName(), u"Rate, 42 rows/s, show rows"_s);
        QCOMPARE(tiles[LagTile]->accessibleName(), u"Lag, 210 ms, show rows"_s);
        QCOMPARE(tiles[BatchesTile]->accessibleName(), u"Batch, 37 rows, show rows"_s);
        QVERIFY(tiles[BatchesTile]->accessibleDescription().contains(u", 2 with poison"));
        QCOMPARE(tiles[PoisonTile]->accessibleName(), u"Poison, 3 , show rows"_s);
        QSignalSpy wanted(at.page.get(), &Page::pageWanted);
        tiles[PoisonTile]->click();
        QCOMPARE(wanted.takeFirst(), (QVariantList{u"dead-letters"_s, u"queue:\"telemetry\""_s}));
        tiles[WaitingTile]->click();
        QCOMPARE(wanted.takeFirst(), (QVariantList{u"queues"_s, u"queue:\"telemetry\""_s}));
        tiles[KeptTile]->click();
        QCOMPARE(wanted.takeFirst().first(), u"settings"_s);
    }

    void figuresSayWhatIsNotKnown()
    {
        TelemetryView view;
        view.nowMs = m_now;
        for (int tile = 0; tile < kTelemetryTiles; ++tile)
            QVERIFY(!telemetryTile(TelemetryTile(tile), view).caption.isEmpty());
        QCOMPARE(telemetryTile(LagTile, view).figure, format::unknown());
        QCOMPARE(telemetryTile(KeptTile, view).figure, format::unknown());
        view.writer.waitsBecause = u"the database is locked"_s;
        QCOMPARE(telemetryTile(LagTile, view).context, u"the database is locked"_s);
        TelemetryKept kept;
        kept.size = {1'000'000, 250'000'000};
        kept.oldestMs = m_now - 3 * 86'400'000LL;
        kept.pruning.byAge.lastRows = 1'000;
        kept.pruning.byAge.lastAtMs = m_now;
        view.kept = &kept;
        const QString words = telemetryTile(KeptTile, view).context;
        QVERIFY2(words.contains(u"oldest 3 d") && words.contains(u"pruned"), qPrintable(words));
        const QStringList lines = words.split(u'\n');
        QCOMPARE(lines.size(), 2);
        QVERIFY2(lines[1].startsWith(u"pruned"), qPrintable(words));
        const auto& look = Look::current();
        const qreal room = (1500 - 240) / kTelemetryTiles - 2 * look.space.pageInset; // beside the navigator
        for (const QString& line : lines)
            QVERIFY2(QFontMetricsF(look.font.small).horizontalAdvance(line) <= room, qPrintable(line));
    }

    void withoutAWriterThereAreNoFigures()
    {
        TelemetryView view;
        view.nowMs = m_now;
        QueueStats queue;
        queue.oldestWaitingMs = m_now - 5'000;
        view.queue = &queue;
        for (const TelemetryTile which : {RateTile, LagTile, BatchesTile}) {
            QCOMPARE(telemetryTile(which, view).figure, format::unknown());
            QCOMPARE(telemetryTile(which, view).unit, QString());
            QCOMPARE(telemetryTile(which, view).context, u"no writer here"_s);
        }
        QCOMPARE(telemetryTile(PoisonTile, view).context, u"no writer here"_s);
        view.writer.consumed = true;
        for (const TelemetryTile which : {RateTile, LagTile, BatchesTile, PoisonTile})
            QVERIFY(!telemetryTile(which, view).context.contains(u"no writer"_s));
    }

    void theLagIsTheLongerWait()
    {
        TelemetryFigures writer;
        QueueStats queue;
        QCOMPARE(telemetryLagMs(writer, nullptr, m_now), 0);
        QCOMPARE(telemetryLagMs(writer, &queue, m_now), 0);
        writer.lagMs = 700;
        writer.lastRowMs = m_now - 1'000;
        QCOMPARE(telemetryLagMs(writer, &queue, m_now), 700);
        queue.oldestWaitingMs = m_now - 300;
        QCOMPARE(telemetryLagMs(writer, &queue, m_now), 700);
        queue.oldestWaitingMs = m_now - 90'000;
        QCOMPARE(telemetryLagMs(writer, &queue, m_now), 90'000);
        writer.lastRowMs = m_now - 60'000; // and nothing since
        queue.oldestWaitingMs = m_now - 300;
        QCOMPARE(telemetryLagMs(writer, &queue, m_now), 300);
        queue.oldestWaitingMs.reset();
        QCOMPARE(telemetryLagMs(writer, &queue, m_now), 0);
    }

    void anEmptyPageSaysHowToSend()
    {
        m_engine->setTelemetry({});
        m_engine->setCounts(countsWith(0, 0));
        m_engine->setTelemetryMinutes(TelemetryMinutes());
        PageFixture<TelemetryPage> at(*m_engine);
        QTRY_VERIFY(shows(at.page.get(), u"No telemetry yet"_s));
        QVERIFY(shows(at.page.get(), u"curl http://127.0.0.1:8787/ingest"_s));
        at.button(u"Copy the command"_s)->click();
        QVERIFY(QGuiApplication::clipboard()->text().contains(u"Authorization: Bearer $"));
        at.page->setFilter(u"tenant:acme"_s);
        QTRY_VERIFY(shows(at.page.get(), u"0 of 0 match"_s));
        EngineFacts none;
        m_engine->setFacts(none);
        PageFixture<TelemetryPage> without(*m_engine);
        QTRY_VERIFY(shows(without.page.get(), u"no queue for it"_s));
    }

    void exportsWhatIsFiltered()
    {
        PageFixture<TelemetryPage> at(*m_engine);
        QTRY_COMPARE(at.page->model()->rowCount(), 300);
        QVERIFY(at.button(u"Export"_s));
        at.page->setFilter(u"tenant:acme"_s);
        at.page->exportTo(u"/tmp/out.jsonl"_s, ExportForm::JsonLines);
        QTRY_COMPARE(m_engine->exports().size(), 1);
        QCOMPARE(m_engine->exports().first().list.kind, ListKind::Telemetry);
        QCOMPARE(m_engine->exports().first().list.filter, u"tenant:acme"_s);
    }

    void theFilterIsCompleted()
    {
        FilterBar bar;
        bar.setWords([] { return QStringList{u"tenant:acme"_s, u"source:audit"_s, u"source:metric"_s}; });
        bar.show();
        bar.focusField();
        QVERIFY(QTest::qWaitForWindowActive(&bar));
        QSignalSpy entered(&bar, &FilterBar::filterEntered);
        QTest::keyClicks(bar.field(), u"x (sou"_s);
        auto* popup = bar.field()->completer()->popup();
        QTRY_VERIFY(popup->isVisible());
        QCOMPARE(popup->model()->rowCount(), 2);
        QTest::keyClick(popup, Qt::Key_Down);
        QTest::keyClick(popup, Qt::Key_Down);
        QTest::keyClick(popup, Qt::Key_Return);
        QTRY_COMPARE(bar.text(), u"x (source:metric"_s);
        QTRY_VERIFY(!entered.isEmpty());
        QCOMPARE(entered.last().first().toString(), u"x (source:metric"_s);
        QVERIFY(!popup->isVisible());
        QTest::keyClicks(bar.field(), u" \"sou"_s); // a text of one's own
        QVERIFY(!popup->isVisible());
    }

private:
    std::unique_ptr<ThemeController> m_themes;
    std::unique_ptr<FakeEngine> m_engine;
    qint64 m_now = 0;
};

QTEST_MAIN(TelemetryPageTest)
#include "telemetry_page_test.moc"
