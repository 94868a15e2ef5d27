// What the list pages do, against an engine made of tables.
#include "tests/ui/support/page_fixture.h"
#include "tests/ui/support/sample_data.h"
#include "ui/dialogs/action_dialog.h"
#include "ui/dialogs/attempts_dialog.h"
#include "ui/pages/dead_letters_page.h"
#include "ui/pages/deliveries_page.h"
#include "ui/pages/jobs_page.h"
#include "ui/pages/timers_page.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/row_table.h"
#include "ui/widgets/theme_controller.h"

#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QRadioButton>
#include <QScrollBar>
#include <QSignalSpy>

using namespace redrive;
using namespace redrive::test;

class ListPageTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_themes = std::make_unique<ThemeController>(*qApp); }
    void init() { m_engine = std::make_unique<FakeEngine>(); }

    void theFirstRunOffersATestJob()
    {
        bool started = false;
        PageFixture<JobsPage> at(*m_engine,
                                 [&](PageContext& context) { context.startDemo = [&] { started = true; }; });
        QTRY_VERIFY(at.button(u"Send a test job"_s));
        QTest::mouseClick(at.button(u"Send a test job"_s), Qt::LeftButton);
        QTRY_COMPARE(at.messages.size(), 1);
        QCOMPARE(m_engine->submitted().first().type, u"webhook_fanout"_s);
        QTest::mouseClick(at.button(u"Start demo traffic"_s), Qt::LeftButton);
        QVERIFY(started);
    }

    void withoutADemoNothingOffersIt()
    {
        PageFixture<JobsPage> at(*m_engine);
        QTRY_VERIFY(at.button(u"Send a test job"_s));
        QVERIFY(!at.button(u"Start demo traffic"_s));
    }

    void noMatchRepeatsTheFilterAndClearsIt()
    {
        PageFixture<JobsPage> at(*m_engine);
        QSignalSpy changed(at.page.get(), &Page::filterChanged);
        at.page->setFilter(u"error:tls"_s);
        QTRY_VERIFY(at.button(u"Clear filter"_s));
        QTest::mouseClick(at.button(u"Clear filter"_s), Qt::LeftButton);
        QCOMPARE(changed.count(), 1);
        QVERIFY(at.page->filter().isEmpty());
        QTRY_VERIFY(at.button(u"Send a test job"_s));
    }

    void aSearchThatLastsSaysHowFarItIsAndIsStopped_data()
    {
        QTest::addColumn<int>("found");
        QTest::newRow("nothing found yet") << 0;
        QTest::newRow("some found") << 2;
    }
    void aSearchThatLastsSaysHowFarItIsAndIsStopped()
    {
        QFETCH(int, found);
        m_engine->setJobs(sampleJobs(QDateTime::currentMSecsSinceEpoch(), 5));
        StoreCounts counts;
        counts.jobs = 1'000'000;
        m_engine->setCounts(counts);
        PageFixture<JobsPage> at(*m_engine);
        QTRY_COMPARE(at.page->model()->rowCount(), 5);
        QVERIFY(!at.button(u"Stop"_s));
        m_engine->setSliceSize(2);
        m_engine->setSearching(320'000, found / 2);
        at.page->setFilter(u"error:tls"_s);
        const auto searched =
            u"searched %1 of %2"_s.arg(format::number(qint64(320'000)), format::number(qint64(1'000'000)));
        QTRY_COMPARE(at.page->scopeText(), found > 0 ? u"2 so far, "_s + searched : searched);
        QVERIFY(at.button(u"Stop"_s));
        QTest::mouseClick(at.button(u"Stop"_s), Qt::LeftButton);
        QCOMPARE(at.page->scopeText(), u"%1 found, stopped: %2"_s.arg(found).arg(searched));
        QVERIFY(!at.button(u"Stop"_s));
        QCOMPARE(at.page->model()->rowCount(), found);
        QCOMPARE(m_engine->closedLists().size(), 1);
        QCOMPARE(at.button(u"Clear filter"_s) != nullptr, found == 0);
    }

    void aWrongFilterSaysWhereAndAsksNothing()
    {
        PageFixture<JobsPage> at(*m_engine);
        QTRY_COMPARE(at.page->model()->phase(), ListPhase::Complete);
        const auto asked = m_engine->listRequests().size();
        QSignalSpy rejected(at.page.get(), &Page::filterRejected);
        at.page->setFilter(u"age:>3x"_s);
        QCOMPARE(rejected.count(), 1);
        QCOMPARE(rejected.at(0).at(0).toString(), u"'3x' is not a duration (use 90s, 5m, 2h, 7d)."_s);
        QVERIFY(rejected.at(0).at(1).toInt() >= 0);
        QCOMPARE(m_engine->listRequests().size(), asked);
    }

    void theScopeIsSaidInWords()
    {
        fillWithSamples(*m_engine, QDateTime::currentMSecsSinceEpoch());
        PageFixture<DeadLettersPage> at(*m_engine);
        QTRY_COMPARE(at.page->scopeText(), u"120 in all"_s);
        at.page->setFilter(u"error:tls"_s);
        QTRY_COMPARE(at.page->scopeText(), u"120 of 999 match"_s);
        at.clickRow(0);
        at.clickRow(2, Qt::ShiftModifier);
        QTRY_COMPARE(at.page->scopeText(), u"120 of 999 match, 3 selected"_s);
    }

    void requeueWithTheMouse()
    {
        fillWithSamples(*m_engine, QDateTime::currentMSecsSinceEpoch());
        ActionResult result;
        result.total = result.succeeded = 2;
        m_engine->setActionResult(result);
        PageFixture<DeadLettersPage> at(*m_engine);
        QTRY_VERIFY(at.page->model()->rowAt(2));
        QVERIFY(!at.button(u"Requeue"_s)->isEnabled());
        QVERIFY(at.button(u"Requeue"_s)->toolTip().contains(u"Select rows first"_s));
        at.clickRow(0);
        at.clickRow(1, Qt::ControlModifier);
        QTRY_VERIFY(at.button(u"Requeue 2"_s));
        QTest::mouseClick(at.button(u"Requeue 2"_s), Qt::LeftButton);
        QTRY_COMPARE(at.messages, QStringList{u"2 of 2 requeued"_s});
        const auto action = m_engine->actions().first();
        QCOMPARE(action.verb, ActionVerb::Requeue);
        QCOMPARE(action.scope.ids.size(), 2);
        QCOMPARE(action.actor, u"anna"_s);
        QCOMPARE(action.source, u"console"_s);
    }

    void refusalsAreListedInOneLine()
    {
        fillWithSamples(*m_engine, QDateTime::currentMSecsSinceEpoch());
        ActionResult result;
        result.total = 1;
        result.refused = {{u"job-1"_s, u"is processing"_s}};
        result.refusedCount = 1;
        m_engine->setActionResult(result);
        PageFixture<DeadLettersPage> at(*m_engine);
        QTRY_VERIFY(at.page->model()->rowAt(0));
        at.clickRow(0);
        QTest::keyClick(at.page->table(), Qt::Key_R);
        QTRY_COMPARE(at.messages, QStringList{u"0 of 1 requeued; refused: job-1 is processing"_s});
        QVERIFY(!QApplication::activeModalWidget());
    }

    void lettersActOnlyInTheTable()
    {
        fillWithSamples(*m_engine, QDateTime::currentMSecsSinceEpoch());
        PageFixture<DeadLettersPage> at(*m_engine);
        QLineEdit other(at.page.get());
        other.show();
        QTRY_VERIFY(at.page->model()->rowAt(0));
        at.clickRow(0);
        other.setFocus();
        QTest::keyClick(&other, Qt::Key_D);
        QCOMPARE(other.text(), u"d"_s);
        QVERIFY(m_engine->actions().isEmpty());
        at.page->table()->setFocus();
        QTest::keyClick(at.page->table(), Qt::Key_D);
        QTRY_COMPARE(m_engine->actions().size(), 1);
        QCOMPARE(m_engine->actions().first().verb, ActionVerb::Discard);
    }

    void moreThanTenAreAskedAbout()
    {
        fillWithSamples(*m_engine, QDateTime::currentMSecsSinceEpoch());
        ActionPlan plan;
        plan.total = 11;
        plan.willAct = 9;
        plan.skipped = {{u"succeeded meanwhile"_s, 2}};
        m_engine->setPlan(plan);
        PageFixture<DeadLettersPage> at(*m_engine);
        QTRY_VERIFY(at.page->model()->rowAt(11));
        at.clickRow(0);
        at.clickRow(10, Qt::ShiftModifier);
        QTest::mouseClick(at.button(u"Requeue 11"_s), Qt::LeftButton);
        auto* dialog = waitForDialog();
        QVERIFY(dialog);
        QVERIFY(m_engine->actions().isEmpty());
        QTRY_COMPARE(dialog->actButton()->text(), u"Requeue 9 dead letters"_s);
        QVERIFY(dialog->actButton()->isEnabled());
        QVERIFY(!dialog->numberField()->isVisible());
        QVERIFY(dialog->windowTitle().contains(u"STAGING"_s));
        QVERIFY(labelWith(dialog, u"2 skipped: succeeded meanwhile"_s));
        QTest::mouseClick(dialog->actButton(), Qt::LeftButton);
        QTRY_COMPARE(m_engine->actions().size(), 1);
        QCOMPARE(m_engine->actions().first().scope.ids.size(), 11);
        QVERIFY(!m_engine->actions().first().scope.matching);
    }

    void overAThousandTheNumberIsTyped()
    {
        fillWithSamples(*m_engine, QDateTime::currentMSecsSinceEpoch());
        ActionPlan plan;
        plan.total = plan.willAct = 1160;
        m_engine->setPlan(plan);
        PageFixture<DeadLettersPage> at(*m_engine);
        at.page->setFilter(u"type:webhook_fanout"_s);
        QTRY_COMPARE(at.page->scopeText(), u"120 of 999 match"_s);
        QTest::keyClick(at.page->table(), Qt::Key_R, Qt::ShiftModifier);
        auto* dialog = waitForDialog();
        QVERIFY(dialog);
        QTRY_VERIFY(dialog->numberField()->isVisible());
        QVERIFY(!dialog->actButton()->isEnabled());
        QTest::keyClicks(dialog->numberField(), u"116"_s);
        QVERIFY(!dialog->actButton()->isEnabled());
        QTest::keyClicks(dialog->numberField(), u"0"_s);
        QVERIFY(dialog->actButton()->isEnabled());
        QTest::mouseClick(dialog->actButton(), Qt::LeftButton);
        QTRY_COMPARE(m_engine->actions().size(), 1);
        QVERIFY(m_engine->actions().first().scope.matching);
        QCOMPARE(m_engine->actions().first().scope.filter, u"type:webhook_fanout"_s);
        QVERIFY(m_engine->actions().first().scope.ids.isEmpty());
    }

    void threeScopesInWords()
    {
        fillWithSamples(*m_engine, QDateTime::currentMSecsSinceEpoch());
        PageFixture<DeadLettersPage> at(*m_engine);
        QTRY_VERIFY(at.page->model()->rowAt(0));
        at.clickRow(0);
        QTest::keyClick(at.page->table(), Qt::Key_D, Qt::ShiftModifier);
        auto* dialog = waitForDialog();
        QVERIFY(dialog);
        QStringList scopes;
        for (const auto* choice : dialog->findChildren<QRadioButton*>())
            scopes.append(choice->text());
        QCOMPARE(scopes.size(), 3);
        QCOMPARE(scopes[0], u"1 selected"_s);
        QVERIFY(scopes[1].endsWith(u" loaded"_s));
        QCOMPARE(scopes[2], u"all 120 matching"_s);
        dialog->close();
    }

    void impossibleActionsSayWhy()
    {
        auto done = sampleJobs(QDateTime::currentMSecsSinceEpoch(), 8);
        m_engine->setJobs({done[1]});
        PageFixture<JobsPage> at(*m_engine);
        QTRY_VERIFY(at.page->model()->rowAt(0));
        at.clickRow(0);
        QVERIFY(!at.button(u"Requeue"_s)->isEnabled());
        QVERIFY(at.button(u"Requeue"_s)->toolTip().contains(u"Only dead jobs"_s));
    }

    void newRowsWaitWhileSomethingIsSelected()
    {
        auto rows = sampleLetters(QDateTime::currentMSecsSinceEpoch(), 20);
        m_engine->setLetters(ListKind::DeadLetters, rows);
        PageFixture<DeadLettersPage> at(*m_engine);
        QTRY_VERIFY(at.page->model()->rowAt(0));
        at.clickRow(3);
        const auto chosen = at.page->currentId();
        auto more = rows.front();
        more.key = 500;
        more.subjectId = u"new"_s;
        rows.prepend(more);
        m_engine->setLetters(ListKind::DeadLetters, rows);
        ChangeSet changes;
        changes.letters = true;
        changes.touch(u"new"_s);
        m_engine->announce(changes);
        auto* bar = at.page->findChild<NewRowsBar*>();
        QTRY_VERIFY(bar->isVisible());
        QCOMPARE(at.page->model()->rowCount(), 20);
        QTest::keyClick(at.page->table(), Qt::Key_M);
        QCOMPARE(at.page->model()->rowCount(), 21);
        QVERIFY(!bar->isVisible());
        QCOMPARE(at.page->currentId(), chosen);
        QCOMPARE(at.page->table()->selectedRowCount(), 1);
    }

    void thePlaceIsKeptWhenRowsComeAbove()
    {
        auto rows = sampleLetters(QDateTime::currentMSecsSinceEpoch(), 200);
        m_engine->setLetters(ListKind::DeadLetters, rows);
        PageFixture<DeadLettersPage> at(*m_engine);
        QTRY_COMPARE(at.page->model()->rowCount(), 200);
        auto* bar = at.page->table()->verticalScrollBar();
        bar->setValue(bar->maximum() / 2);
        const auto top = at.page->model()->keyAt(at.page->table()->rowAt(0));
        for (int i = 0; i < 3; ++i) {
            auto more = rows.front();
            more.key = 500 + i;
            rows.prepend(more);
        }
        m_engine->setLetters(ListKind::DeadLetters, rows);
        ChangeSet changes;
        changes.letters = changes.everything = true;
        m_engine->announce(changes);
        QTRY_COMPARE(at.page->model()->newRows(), 3);
        at.page->model()->merge();
        QCOMPARE(at.page->model()->keyAt(at.page->table()->rowAt(0)), top);
    }

    void selectionSurvivesAnotherOrder()
    {
        m_engine->setLetters(ListKind::DeadLetters, sampleLetters(QDateTime::currentMSecsSinceEpoch(), 20));
        PageFixture<DeadLettersPage> at(*m_engine);
        QTRY_VERIFY(at.page->model()->rowAt(0));
        at.clickRow(3);
        const auto chosen = at.page->currentId();
        at.page->model()->sort(2, Qt::AscendingOrder);
        QTRY_COMPARE(m_engine->listRequests().back().sort, SortField::Type);
        QTRY_COMPARE(at.page->model()->phase(), ListPhase::Complete);
        QTRY_COMPARE(at.page->currentId(), chosen);
        QCOMPARE(at.page->table()->selectedRowCount(), 1);
    }

    void theBinGivesBack()
    {
        fillWithSamples(*m_engine, QDateTime::currentMSecsSinceEpoch());
        PageFixture<DeadLettersPage> at(*m_engine);
        QTRY_VERIFY(at.button(u"Discard"_s));
        QVERIFY(!at.button(u"Restore"_s));
        auto* bin = at.page->findChild<QAbstractButton*>(QString(), Qt::FindChildrenRecursively);
        for (auto* candidate : at.page->findChildren<QAbstractButton*>())
            if (candidate->text() == u"Bin")
                bin = candidate;
        QTest::mouseClick(bin, Qt::LeftButton);
        QTRY_COMPARE(at.page->model()->rowCount(), 12);
        QTRY_VERIFY(at.page->model()->rowAt(0));
        QVERIFY(!at.button(u"Discard"_s));
        at.clickRow(0);
        QTRY_VERIFY(at.button(u"Restore 1"_s));
        QTest::mouseClick(at.button(u"Restore 1"_s), Qt::LeftButton);
        QTRY_COMPARE(m_engine->actions().size(), 1);
        QCOMPARE(m_engine->actions().first().verb, ActionVerb::Restore);
    }

    void aListThatBreaksOffIsIncomplete()
    {
        fillWithSamples(*m_engine, QDateTime::currentMSecsSinceEpoch());
        m_engine->setSliceSize(2);
        m_engine->setListBreak({ErrorKind::Corrupt, u"'jobs.db' is damaged"_s, {}, {}}, 1);
        EngineHealth health;
        health.running = health.stalled = true;
        health.problems = {u"'jobs.db' is damaged"_s};
        m_engine->setHealth(health);
        PageFixture<JobsPage> at(*m_engine);
        QTRY_VERIFY(at.page->scopeText().startsWith(u"incomplete: 2 could be read"_s));
        QCOMPARE(at.page->model()->rowCount(), 2);
        auto* bar = at.page->findChild<BrokenBar*>();
        QVERIFY(bar->isVisible() && labelWith(bar, u"'jobs.db' is damaged"_s));
    }

    void aBrokenStoreIsSaidInABar()
    {
        fillWithSamples(*m_engine, QDateTime::currentMSecsSinceEpoch());
        PageFixture<TimersPage> at(*m_engine);
        QTRY_VERIFY(at.page->model()->rowAt(0));
        auto* bar = at.page->findChild<BrokenBar*>();
        QVERIFY(!bar->isVisible());
        EngineHealth health;
        health.problems = {u"database is locked"_s};
        m_engine->setHealth(health);
        at.bridge.refresh();
        QTRY_VERIFY(bar->isVisible());
        QVERIFY(at.page->table()->isStale());
        QVERIFY(labelWith(bar, u"database is locked"_s));
        QVERIFY(at.page->scopeText().contains(u"as of"_s));
        QVERIFY(!QApplication::activeModalWidget());
        health.running = true;
        health.problems.clear();
        m_engine->setHealth(health);
        QTest::mouseClick(at.button(u"Try again"_s), Qt::LeftButton);
        QTRY_VERIFY(!bar->isVisible());
        QVERIFY(!at.page->table()->isStale());
    }

    void slowRowsHaveBlocksInTheirPlaces()
    {
        m_engine->hold();
        PageFixture<TimersPage> at(*m_engine);
        const auto loading = [&] {
            for (const auto* child : at.page->table()->viewport()->findChildren<QWidget*>())
                if (child->accessibleName() == u"Rows are being loaded")
                    return true;
            return false;
        };
        QVERIFY(!loading());
        QTRY_VERIFY(loading());
        m_engine->release();
        QTRY_VERIFY(!loading());
    }

    void hostileTextIsShownAsItIs()
    {
        const auto hostile = u"<img src=\"/dev/zero\"><b>x</b>&amp;"_s;
        auto letters = sampleLetters(QDateTime::currentMSecsSinceEpoch(), 3);
        for (auto& letter : letters) {
            letter.type = letter.error = letter.sourceQueue = letter.reason = letter.subjectId = hostile;
            letter.kind = LetterKind::Job;
        }
        m_engine->setLetters(ListKind::DeadLetters, letters);
        LetterDetail detail;
        detail.letter = letters.front();
        m_engine->setLetterDetail(detail);
        PageFixture<DeadLettersPage> at(*m_engine);
        QTRY_VERIFY(at.page->model()->rowAt(0));
        at.clickRow(0);
        at.page->detail()->show();
        QTRY_VERIFY(labelWith(at.page->detail(), hostile));
        for (const auto* label : at.page->findChildren<QLabel*>())
            QCOMPARE(label->textFormat(), Qt::PlainText);
        for (const auto* label : at.page->detail()->findChildren<QLabel*>())
            QCOMPARE(label->textFormat(), Qt::PlainText);
        QVERIFY(!at.page->grab().isNull());
    }

    void copiesARequestAndComparesAttempts()
    {
        fillWithSamples(*m_engine, QDateTime::currentMSecsSinceEpoch());
        PageFixture<DeliveriesPage> at(*m_engine);
        QTRY_VERIFY(at.page->table()->model()->rowCount() > 3);
        at.page->detail()->show();
        at.clickRow(1);
        const auto action = [&](const QString& text) {
            for (QAction* one : at.page->pageActions())
                if (one->text() == text)
                    return one;
            return static_cast<QAction*>(nullptr);
        };
        QTRY_VERIFY(action(u"Compare attempts\u2026"_s)->isEnabled());
        QGuiApplication::clipboard()->clear();
        QTest::keyClick(at.page->table(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        const QString text = QGuiApplication::clipboard()->text();
        QVERIFY2(text.startsWith(u"curl --request POST 'http"_s), qPrintable(text));
        QVERIFY(text.contains(u"--data-binary '"_s));
        QTest::keyClick(at.page->table(), Qt::Key_C);
        AttemptsDialog* dialog = nullptr;
        for (QWidget* widget : QApplication::topLevelWidgets())
            if (auto* found = qobject_cast<AttemptsDialog*>(widget); found && found->isVisible())
                dialog = found;
        QVERIFY(dialog);
        dialog->close();
    }

    void exportsWhatIsFiltered()
    {
        fillWithSamples(*m_engine, QDateTime::currentMSecsSinceEpoch());
        m_engine->setExported(ExportDone{1204, false});
        PageFixture<JobsPage> at(*m_engine);
        at.page->setFilter(u"status:dead"_s);
        QTRY_VERIFY(at.page->table()->model()->rowCount() > 3);
        at.page->exportTo(u"/srv/jobs.csv"_s, ExportForm::Csv);
        QTRY_COMPARE(at.messages.value(1), u"1\u202F204 rows exported to /srv/jobs.csv"_s);
        QCOMPARE(m_engine->exports().first().list.filter, u"status:dead"_s);
        QCOMPARE(m_engine->exports().first().list.kind, ListKind::Jobs);
        m_engine->setExported(fail(ErrorKind::Internal, u"The export could not be written"_s));
        at.page->exportTo(u"/srv/jobs.csv"_s, ExportForm::JsonLines);
        QTRY_COMPARE(at.messages.value(3), u"The export could not be written"_s);
        QTest::keyClick(at.page->table(), Qt::Key_E, Qt::ControlModifier);
        QTRY_VERIFY(at.page->window()->findChild<QFileDialog*>());
        at.page->window()->findChild<QFileDialog*>()->close();
    }

    void aRefusedAddressIsAllowedByALineToCopy()
    {
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        fillWithSamples(*m_engine, now);
        DeliveryDetail detail = sampleDeliveryDetail(now);
        const QString line = u"allow_private_targets = [\"10.0.0.7/32:80\", \"[fd00::1]/128:443\"]"_s;
        detail.attempts.first().errorCode = u"blocked"_s;
        detail.attempts.first().error = u"fd00::1 is refused: unique local. To allow it: "_s + line;
        m_engine->setDeliveryDetail(detail);
        PageFixture<DeliveriesPage> at(*m_engine);
        QTRY_VERIFY(at.page->table()->model()->rowCount() > 3);
        at.page->detail()->show();
        at.clickRow(1);
        QTRY_VERIFY(PageFixture<DeliveriesPage>::button(at.page->detail(), u"Copy the line"_s));
        PageFixture<DeliveriesPage>::button(at.page->detail(), u"Copy the line"_s)->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), line);
        QVERIFY(at.messages.last().contains(u"the table redrive of wrangler.toml and start Redrive again"_s));
    }

    // The configuration is the user's own: the button names the file, and what is copied fits there.
    void theLineIsCopiedAsItsFileTakesIt_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("button");
        QTest::addColumn<QString>("copied");
        QTest::addColumn<QString>("where");
        const QString toml = u"allow_private_targets = [\"10.0.0.7/32:80\"]"_s;
        QTest::addRow("toml") << u"/srv/app/wrangler.toml"_s << u"Copy the line for wrangler.toml"_s << toml
                              << u"into the table redrive of wrangler.toml"_s;
        QTest::addRow("json") << u"/srv/app/wrangler.jsonc"_s << u"Copy the line for wrangler.jsonc"_s
                              << u"\"allow_private_targets\": [\"10.0.0.7/32:80\"]"_s
                              << u"into the table redrive of wrangler.jsonc"_s;
        QTest::addRow("own file") << u"/srv/app/redrive.toml"_s << u"Copy the line for redrive.toml"_s << toml
                                  << u"into redrive.toml and"_s;
        QTest::addRow("no file yet") << QString() << u"Copy the line for redrive.toml"_s << toml
                                     << u"into redrive.toml and"_s;
    }

    void theLineIsCopiedAsItsFileTakesIt()
    {
        QFETCH(QString, file);
        QFETCH(QString, button);
        QFETCH(QString, copied);
        QFETCH(QString, where);
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        fillWithSamples(*m_engine, now);
        EngineFacts facts;
        facts.settingsFile = file;
        m_engine->setFacts(facts);
        DeliveryDetail detail = sampleDeliveryDetail(now);
        detail.attempts.first().errorCode = u"blocked"_s;
        detail.attempts.first().error =
            u"10.0.0.7 is refused: private. To allow it: allow_private_targets = [\"10.0.0.7/32:80\"]"_s;
        m_engine->setDeliveryDetail(detail);
        PageFixture<DeliveriesPage> at(*m_engine);
        QTRY_VERIFY(at.page->table()->model()->rowCount() > 3);
        at.page->detail()->show();
        at.clickRow(1);
        const auto copy = [&] { return PageFixture<DeliveriesPage>::button(at.page->detail(), button); };
        QTRY_VERIFY(copy());
        copy()->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), copied);
        QVERIFY2(at.messages.last().contains(where), qPrintable(at.messages.last()));
    }

    void ofADeadDeliveryToo()
    {
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        fillWithSamples(*m_engine, now);
        LetterDetail letter;
        letter.letter = sampleLetters(now, 120)[1];
        letter.delivery = sampleDeliveryDetail(now);
        const QString line = u"allow_private_targets = [\"10.0.0.7/32:80\"]"_s;
        letter.delivery->attempts.first().errorCode = u"blocked"_s;
        letter.delivery->attempts.first().error = u"10.0.0.7 is refused: private. To allow it: "_s + line;
        m_engine->setLetterDetail(letter);
        PageFixture<DeadLettersPage> at(*m_engine);
        QTRY_VERIFY(at.page->table()->model()->rowCount() > 3);
        at.page->detail()->show();
        at.clickRow(1);
        const auto copy = [&] {
            return PageFixture<DeadLettersPage>::button(at.page->detail(), u"Copy the line"_s);
        };
        QTRY_VERIFY(copy());
        copy()->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), line);

        // Nothing is left of it where nothing is shown.
        const auto action = [&](const QString& text) {
            for (QAction* one : at.page->pageActions())
                if (one->text().startsWith(text))
                    return one;
            return static_cast<QAction*>(nullptr);
        };
        QVERIFY(action(u"Compare attempts"_s)->isEnabled());
        m_engine->setKeys(ListKind::DeadLetters, {});
        at.page->setFilter(u"error:nothing"_s);
        QTRY_VERIFY(!action(u"Copy the line"_s)->isVisible());
        QVERIFY(!action(u"Compare attempts"_s)->isEnabled());
    }

    void deliveriesReplay()
    {
        fillWithSamples(*m_engine, QDateTime::currentMSecsSinceEpoch());
        PageFixture<DeliveriesPage> at(*m_engine);
        QTRY_VERIFY(at.page->model()->rowAt(5));
        at.clickRow(5); // being sent
        QVERIFY(!at.button(u"Replay"_s)->isEnabled());
        at.clickRow(3); // dead
        QTRY_VERIFY(at.button(u"Replay 1"_s));
        QTest::keyClick(at.page->table(), Qt::Key_R);
        QTRY_COMPARE(m_engine->actions().size(), 1);
        QCOMPARE(m_engine->actions().first().verb, ActionVerb::Replay);
        QCOMPARE(m_engine->actions().first().scope.list, ListKind::Deliveries);
    }

private:
    ActionDialog* waitForDialog()
    {
        ActionDialog* found = nullptr;
        [&] {
            QTRY_VERIFY([&] {
                for (auto* widget : QApplication::topLevelWidgets())
                    if (auto* dialog = qobject_cast<ActionDialog*>(widget); dialog && dialog->isVisible())
                        found = dialog;
                return found != nullptr;
            }());
        }();
        return found;
    }

    static bool labelWith(const QWidget* parent, const QString& text)
    {
        for (const auto* label : parent->findChildren<QLabel*>())
            if (label->text().contains(text))
                return true;
        return false;
    }

    std::unique_ptr<ThemeController> m_themes;
    std::unique_ptr<FakeEngine> m_engine;
};

QTEST_MAIN(ListPageTest)
#include "list_page_test.moc"
