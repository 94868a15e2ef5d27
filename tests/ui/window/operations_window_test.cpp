// A replay with a pace over a real engine and a real receiver, with the mouse: the dialog, then the strip of
// operations.
#include "core/engine/engine.h"
#include "tests/support/http_receiver.h"
#include "tests/ui/support/fake_engine.h"
#include "tests/ui/support/page_fixture.h"
#include "tests/ui/window/patient_engine.h"
#include "ui/dialogs/action_dialog.h"
#include "ui/dialogs/pace_fields.h"
#include "ui/models/operation_words.h"
#include "ui/pages/deliveries_page.h"
#include "ui/pages/operation_row.h"
#include "ui/pages/operations_strip.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/row_table.h"
#include "ui/widgets/theme_controller.h"

#include <QCheckBox>
#include <QDockWidget>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>

using namespace redrive;
using namespace redrive::test;

namespace {

constexpr int kFailed = 12;

RedriveInfo sample(qint64 no, RedriveState state)
{
    RedriveInfo info;
    info.no = no;
    info.verb = u"requeue"_s;
    info.scope = u"matching error:tls <b>bold</b>"_s;
    info.actor = u"anna"_s;
    info.state = state;
    info.total = 214;
    info.done = 190;
    info.pace.perSecond = 20;
    info.awaitsOutcomes = true;
    info.ledger.succeeded = 170;
    info.ledger.failedAgain = 7;
    info.ledger.failedAnew = 2;
    info.ledger.waiting = 11;
    info.ledger.queued = 24;
    return info;
}

} // namespace

class OperationsWindowTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_themes = std::make_unique<ThemeController>(*qApp); }

    void aReplayStopsAtItsFirstOnesAndGoesOn()
    {
        start();
        PageFixture<DeliveriesPage> at(*m_engine);
        OperationsStrip strip(contextOf(at.bridge));
        strip.resize(1200, 160);
        strip.show();
        QTRY_COMPARE(at.page->model()->rowCount(), kFailed);
        at.clickRow(0);
        QTest::keyClick(at.page->table(), Qt::Key_A, Qt::ControlModifier);
        QTRY_VERIFY(button(at.page.get(), u"Replay 12"_s) &&
                    button(at.page.get(), u"Replay 12"_s)->isEnabled());
        at.page->activateWindow(); // the strip came after it
        QTRY_VERIFY(at.page->isActiveWindow());
        at.page->table()->setFocus();
        QTest::keyClick(at.page->table(), Qt::Key_R, Qt::ShiftModifier);
        auto* dialog = waitForDialog();
        QVERIFY(dialog);
        QTRY_COMPARE(dialog->actButton()->text(), u"Replay 12 deliveries"_s);
        QVERIFY(!dialog->paceFields()->canaryBox()->isChecked());
        QTest::mouseClick(dialog->paceFields()->canaryBox(), Qt::LeftButton, {},
                          QPoint(8, dialog->paceFields()->canaryBox()->height() / 2));
        dialog->paceFields()->inFlightField()->setValue(4);
        QTest::mouseClick(dialog->actButton(), Qt::LeftButton);
        QTRY_COMPARE(at.messages.size(), 1);
        QCOMPARE(at.messages[0], u"Operation 1: 12 begin one after the other"_s);

        // The first five fail again: it waits for a decision.
        QTRY_VERIFY(strip.row(1));
        auto* row = strip.row(1);
        QTRY_VERIFY(button(row, u"Continue"_s));
        QCOMPARE(m_receiver->arrivalCount(), kFailed + 5);
        QTRY_VERIFY(button(row, u"5 failed again"_s));
        QSignalSpy wanted(&strip, &OperationsStrip::pageWanted);
        QTest::mouseClick(button(row, u"5 failed again"_s), Qt::LeftButton);
        QCOMPARE(wanted.value(0).value(0).toString(), u"deliveries"_s);
        at.page->setFilter(wanted.value(0).value(1).toString());
        QTRY_COMPARE(at.page->model()->rowCount(), 5);

        m_receiver->answer("/hook", ReceiverAnswer::status(200));
        QTest::mouseClick(button(row, u"Continue"_s), Qt::LeftButton);
        QTRY_VERIFY(strip.row(1) && button(strip.row(1), u"7 succeeded"_s));
        QCOMPARE(m_receiver->arrivalCount(), 2 * kFailed);
        QTRY_VERIFY(!button(strip.row(1), u"Stop"_s)); // it is over
    }

    void deliveredOnesAreSentAgainOnlyWhenAsked()
    {
        start();
        m_receiver->answer("/hook", ReceiverAnswer::status(200));
        PageFixture<DeliveriesPage> at(*m_engine);
        QTRY_COMPARE(at.page->model()->rowCount(), kFailed);
        at.clickRow(0);
        QTest::keyClick(at.page->table(), Qt::Key_R);
        QTRY_COMPARE(m_receiver->arrivalCount(), kFailed + 1);
        QTRY_COMPARE(at.messages, QStringList{u"1 of 1 replayed"_s});
        QTest::keyClick(at.page->table(), Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(at.page->table(), Qt::Key_R, Qt::ShiftModifier);
        auto* dialog = waitForDialog();
        QVERIFY(dialog);
        QTRY_COMPARE(dialog->actButton()->text(), u"Replay 11 deliveries"_s);
        dialog->chooseDelivered(true);
        QTRY_COMPARE(dialog->actButton()->text(), u"Replay 12 deliveries"_s);
        dialog->close();
    }

    void theButtonsSteer()
    {
        FakeEngine engine;
        engine.setRedrives({sample(88, RedriveState::Running)});
        EngineBridge bridge(engine, m_clock);
        OperationsStrip strip(contextOf(bridge));
        strip.resize(1200, 160);
        strip.show();
        QTRY_VERIFY(strip.row(88));
        auto* row = strip.row(88);
        for (const auto& text : {u"Slower"_s, u"Faster"_s, u"Pause"_s, u"Stop"_s}) {
            QVERIFY2(button(row, text), qPrintable(text));
            QTest::mouseClick(button(row, text), Qt::LeftButton);
        }
        QTRY_COMPARE(engine.orders().size(), 4);
        QCOMPARE(engine.orders()[0].perSecond, 10.0);
        QCOMPARE(engine.orders()[1].perSecond, 40.0);
        QVERIFY(engine.orders()[2].steer == RedriveSteer::Pause);
        QVERIFY(engine.orders()[3].steer == RedriveSteer::Stop);
        QCOMPARE(engine.orders()[3].no, 88);
        QCOMPARE(engine.orders()[3].actor, u"anna"_s);
        QVERIFY(button(row, u"9 failed again (2 with another error)"_s));
    }

    void whatIsDoneAtOnceHasNoRate()
    {
        FakeEngine engine;
        RedriveInfo cancel = sample(89, RedriveState::Running);
        cancel.verb = u"cancel"_s;
        engine.setRedrives({cancel});
        EngineBridge bridge(engine, m_clock);
        OperationsStrip strip(contextOf(bridge));
        strip.show();
        QTRY_VERIFY(strip.row(89));
        for (const auto& text : {u"Slower"_s, u"Faster"_s}) {
            QVERIFY(!button(strip.row(89), text)->isEnabled());
            QVERIFY(button(strip.row(89), text)->toolTip().contains(u"takes no pace"_s));
        }
        QVERIFY(button(strip.row(89), u"Stop"_s)->isEnabled());
    }

    void aNumberOpensTheListOfItsItems_data()
    {
        QTest::addColumn<QString>("verb");
        QTest::addColumn<bool>("ofDeliveries");
        QTest::addColumn<QString>("page");
        QTest::newRow("requeued jobs") << u"requeue"_s << false << u"jobs"_s;
        QTest::newRow("requeued deliveries") << u"requeue"_s << true << u"deliveries"_s;
        QTest::newRow("delivery timers") << u"run-now"_s << true << u"deliveries"_s;
        QTest::newRow("replay") << u"replay"_s << true << u"deliveries"_s;
        QTest::newRow("missed events") << u"replay-missing"_s << false << u"deliveries"_s;
        QTest::newRow("discarded") << u"discard"_s << true << u"dead-letters"_s;
    }
    void aNumberOpensTheListOfItsItems()
    {
        QFETCH(QString, verb);
        QFETCH(bool, ofDeliveries);
        QFETCH(QString, page);
        RedriveInfo info = sample(88, RedriveState::Running);
        info.verb = verb;
        info.ofDeliveries = ofDeliveries;
        const auto figures = operationFigures(info);
        QCOMPARE(figures[0].page, page);
        QCOMPARE(figures[0].filter, u"redrive:88/succeeded"_s);
    }

    void aReadOnlyProfileSteersNothing()
    {
        FakeEngine engine;
        engine.setRedrives({sample(88, RedriveState::Paused)});
        EngineBridge bridge(engine, m_clock);
        auto context = contextOf(bridge);
        context.readOnly = true;
        OperationsStrip strip(context);
        strip.show();
        QTRY_VERIFY(strip.row(88));
        QVERIFY(button(strip.row(88), u"Continue"_s));
        QVERIFY(!button(strip.row(88), u"Continue"_s)->isEnabled());
        QVERIFY(!button(strip.row(88), u"Stop"_s)->isEnabled());
    }

    void theWindowShowsThemWhileThereAreAny()
    {
        QTemporaryDir folder;
        MainWindow window(*m_themes, {{}, {}, false, folder.filePath(u"layout.ini"_s)});
        bool all = false;
        window.addOperations(new QWidget, [&all](bool shown) { all = shown; });
        window.show();
        auto* dock = window.findChild<QDockWidget*>(u"operations"_s);
        QVERIFY(dock && dock->isHidden());
        window.setOperationsCount(2);
        QVERIFY(!dock->isHidden());
        dock->close();
        window.setOperationsCount(1); // nothing new
        QVERIFY(dock->isHidden());
        window.setOperationsCount(2);
        QVERIFY(!dock->isHidden());
        window.setOperationsCount(0);
        QVERIFY(dock->isHidden());
        for (auto* action : window.findChildren<QAction*>())
            if (action->shortcut() == QKeySequence(u"Ctrl+Shift+O"_s))
                action->trigger();
        QVERIFY(all && !dock->isHidden());
    }

    void onePressBringsBackWhatWasClosed()
    {
        QTemporaryDir folder;
        MainWindow window(*m_themes, {{}, {}, false, folder.filePath(u"layout.ini"_s)});
        bool all = false;
        window.addOperations(new QWidget, [&all](bool shown) { all = shown; });
        window.show();
        auto* dock = window.findChild<QDockWidget*>(u"operations"_s);
        QAction* show = nullptr;
        for (auto* action : window.findChildren<QAction*>())
            if (action->shortcut() == QKeySequence(u"Ctrl+Shift+O"_s))
                show = action;
        QVERIFY(show);
        for (const int count : {0, 2}) {
            window.setOperationsCount(count);
            show->trigger();
            QVERIFY(all && show->isChecked() && !dock->isHidden());
            dock->close();
            QVERIFY(!all && !show->isChecked() && dock->isHidden());
            show->trigger();
            QVERIFY(all && show->isChecked() && !dock->isHidden());
            dock->close();
        }
    }

    void anUpdateKeepsTheFocusOnItsButton()
    {
        FakeEngine engine;
        engine.setRedrives({sample(88, RedriveState::Running)});
        EngineBridge bridge(engine, m_clock);
        OperationsStrip strip(contextOf(bridge));
        strip.resize(1200, 160);
        strip.show();
        strip.activateWindow();
        QTRY_VERIFY(strip.isActiveWindow() && strip.row(88));
        QTRY_VERIFY(button(strip.row(88), u"9 failed again"_s));
        auto* failed = button(strip.row(88), u"9 failed again"_s);
        failed->setFocus();
        QVERIFY(failed->hasFocus());
        // A newer one comes above it, and it has other figures.
        auto later = sample(88, RedriveState::Running);
        later.ledger.failedAgain = 10;
        later.ledger.gone = 3;
        later.ledger.waiting = 0;
        engine.setRedrives({sample(89, RedriveState::Running), later});
        ChangeSet changes;
        changes.operations = true;
        engine.announce(changes);
        QTRY_VERIFY(strip.row(89) && button(strip.row(88), u"12 failed again"_s));
        QCOMPARE(button(strip.row(88), u"12 failed again"_s), failed);
        QVERIFY(failed->hasFocus());
        QTRY_VERIFY(button(strip.row(88), u"3 gone"_s));
        QVERIFY(!button(strip.row(88), u"11 waiting"_s));

        // Pause and Continue take each other's place.
        button(strip.row(88), u"Pause"_s)->setFocus();
        later.state = RedriveState::Paused;
        engine.setRedrives({sample(89, RedriveState::Running), later});
        engine.announce(changes);
        QTRY_VERIFY(button(strip.row(88), u"Continue"_s));
        QVERIFY(button(strip.row(88), u"Continue"_s)->hasFocus());
    }

    void cleanup()
    {
        m_engine.reset();
        m_receiver.reset();
    }

private:
    static PageContext contextOf(EngineBridge& bridge)
    {
        PageContext context;
        context.bridge = &bridge;
        context.actor = u"anna"_s;
        return context;
    }

    // An engine with deliveries that failed once and wait for an hour.
    void start()
    {
        m_receiver = std::make_unique<HttpReceiver>();
        m_receiver->answer("/hook", ReceiverAnswer::status(500));
        m_folder = std::make_unique<QTemporaryDir>();
        m_engine = patientEngine(m_folder->filePath(u"redrive.db"_s));
        // An endpoint each, so that no breaker opens.
        for (int i = 0; i < kFailed; ++i) {
            const QByteArray payload = "{\"eventType\":\"a.b\",\"endpoints\":[{\"id\":\"acme" +
                                       QByteArray::number(i) + "\",\"url\":\"" + m_receiver->url().toUtf8() +
                                       "\"}]}";
            m_engine->submit({u"webhook_fanout"_s, payload, 0}, [](const Result<QString>&) {});
        }
        QTRY_COMPARE(m_receiver->arrivalCount(), kFailed);
    }

    static QPushButton* button(const QWidget* parent, const QString& text)
    {
        return PageFixture<DeliveriesPage>::button(parent, text);
    }

    static ActionDialog* waitForDialog()
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

    SystemClock m_clock;
    std::unique_ptr<HttpReceiver> m_receiver;
    std::unique_ptr<ThemeController> m_themes;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Engine> m_engine;
};

QTEST_MAIN(OperationsWindowTest)
#include "operations_window_test.moc"
