// Actions of the console that are held before they begin: the row with Undo, Ctrl+Z, and what it takes back,
// over a real engine with a real receiver and over one that only answers.
#include "core/engine/engine.h"
#include "tests/support/http_receiver.h"
#include "tests/ui/support/fake_engine.h"
#include "tests/ui/support/page_fixture.h"
#include "tests/ui/support/sample_data.h"
#include "tests/ui/window/patient_engine.h"
#include "ui/models/operation_words.h"
#include "ui/models/undo_hold.h"
#include "ui/pages/deliveries_page.h"
#include "ui/pages/operation_row.h"
#include "ui/pages/operations_strip.h"
#include "ui/pages/settings_page.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/row_table.h"
#include "ui/widgets/segmented_switch.h"
#include "ui/widgets/theme_controller.h"

#include <QSignalSpy>
#include <QTemporaryDir>

using namespace redrive;
using namespace redrive::test;

namespace {

RedriveInfo asked(qint64 no, const QString& verb, RedriveState state)
{
    RedriveInfo info;
    info.no = no;
    info.verb = verb;
    info.scope = u"3 selected"_s;
    info.actor = u"anna"_s;
    info.source = u"console"_s;
    info.state = state;
    info.total = 3;
    info.done = isOver(state) ? 3 : 0;
    info.createdAtMs = 1'000;
    return info;
}

} // namespace

class UndoWindowTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_themes = std::make_unique<ThemeController>(*qApp); }

    void aReplayIsHeldAndTakenBack()
    {
        start();
        m_receiver->answer("/hook", ReceiverAnswer::status(200));
        UndoHold hold({});
        hold.setSeconds(30);
        PageFixture<DeliveriesPage> at(*m_engine, [&](PageContext& context) { context.undo = &hold; });
        OperationsStrip strip(contextOf(at.bridge));
        strip.resize(1200, 160);
        strip.show();
        QTRY_COMPARE(at.page->model()->rowCount(), 1);
        at.page->activateWindow();
        QTRY_VERIFY(at.page->isActiveWindow());
        at.clickRow(0);
        QTest::keyClick(at.page->table(), Qt::Key_R);
        QTRY_COMPARE(at.messages, QStringList{u"Replay begins in 30 s; Ctrl+Z takes it back"_s});
        QTRY_VERIFY(strip.row(1) && button(strip.row(1), u"Undo"_s));
        QVERIFY(!button(strip.row(1), u"Stop"_s));
        QSignalSpy raised(&strip, &OperationsStrip::messageRaised);
        QTest::mouseClick(button(strip.row(1), u"Undo"_s), Qt::LeftButton);
        QTRY_COMPARE(at.messages.value(1), u"Replay was taken back: nothing was done"_s);
        QTRY_COMPARE(raised.value(0).value(0).toString(),
                     u"Replay #1 is taken back: nothing of it was done"_s);
        QCOMPARE(m_receiver->arrivalCount(), 1); // the first attempt alone

        // Asked for again, and begun before its time.
        QTest::keyClick(at.page->table(), Qt::Key_R);
        QTRY_VERIFY(strip.row(2) && button(strip.row(2), u"Begin now"_s));
        QTest::mouseClick(button(strip.row(2), u"Begin now"_s), Qt::LeftButton);
        QTRY_COMPARE(m_receiver->arrivalCount(), 2);
        QTRY_COMPARE(at.messages.last(), u"1 of 1 replayed"_s);
        strip.undo();
        QTRY_COMPARE(raised.last().value(0).toString(),
                     u"Replay #2 is done: nothing of it can be taken back."_s);
    }

    void theRowCountsDown()
    {
        RedriveInfo held = asked(88, u"replay"_s, RedriveState::Requested);
        held.heldUntilMs = 20'000;
        QCOMPARE(holdText(held, 12'500), u"Begins in 0:08"_s);
        QVERIFY(holdText(held, 20'000).isEmpty());
        QVERIFY(canBeUndone(held));
    }

    // The newest of this operator's own, and never an older one in its place.
    void theLastActionIsMeant_data()
    {
        QTest::addColumn<QList<RedriveInfo>>("redrives"); // newest first
        QTest::addColumn<qint64>("undone");               // 0: none
        QTest::addColumn<QString>("said");
        const RedriveInfo running = asked(5, u"requeue"_s, RedriveState::Running);
        RedriveInfo undone = asked(6, u"replay"_s, RedriveState::Stopped);
        undone.undoneAtMs = 2'000;
        RedriveInfo others = asked(7, u"replay"_s, RedriveState::Requested);
        others.actor = u"bert"_s;
        RedriveInfo typed = asked(8, u"replay"_s, RedriveState::Running);
        typed.source = u"command line"_s;
        const RedriveInfo done = asked(9, u"replay"_s, RedriveState::Done);
        const RedriveInfo discarded = asked(10, u"discard"_s, RedriveState::Done);
        const RedriveInfo restored = asked(11, u"restore"_s, RedriveState::Done);
        QTest::newRow("what runs") << QList{running} << qint64(5) << QString();
        QTest::newRow("past an undone one") << QList{restored, undone, running} << qint64(5) << QString();
        QTest::newRow("past other people's") << QList{typed, others, running} << qint64(5) << QString();
        QTest::newRow("out of the bin") << QList{discarded, running} << qint64(10) << QString();
        QTest::newRow("not an older one")
            << QList{done, running} << qint64(0) << u"Replay #9 is done: nothing of it can be taken back."_s;
        QTest::newRow("nothing") << QList{others} << qint64(0) << u"There is nothing to undo."_s;
    }

    void theLastActionIsMeant()
    {
        QFETCH(QList<RedriveInfo>, redrives);
        QFETCH(qint64, undone);
        QFETCH(QString, said);
        FakeEngine engine;
        engine.setRedrives(redrives);
        EngineBridge bridge(engine, m_clock);
        OperationsStrip strip(contextOf(bridge));
        QTemporaryDir folder;
        MainWindow window(*m_themes, {{}, {}, false, folder.filePath(u"layout.ini"_s)});
        connect(&window, &MainWindow::undoWanted, &strip, &OperationsStrip::undo);
        QSignalSpy raised(&strip, &OperationsStrip::messageRaised);
        window.show();
        window.activateWindow();
        QTRY_VERIFY(window.isActiveWindow());
        QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
        if (undone > 0) {
            QTRY_COMPARE(engine.orders().size(), 1);
            QCOMPARE(engine.orders()[0].no, undone);
            QVERIFY(engine.orders()[0].steer == RedriveSteer::Undo);
            QCOMPARE(engine.orders()[0].actor, u"anna"_s);
        } else {
            QTRY_COMPARE(raised.value(0).value(0).toString(), said);
            QVERIFY(engine.orders().isEmpty());
        }
    }

    void aReadOnlyProfileTakesNothingBack()
    {
        FakeEngine engine;
        engine.setRedrives({asked(5, u"requeue"_s, RedriveState::Running)});
        EngineBridge bridge(engine, m_clock);
        auto context = contextOf(bridge);
        context.readOnly = true;
        OperationsStrip strip(context);
        QSignalSpy raised(&strip, &OperationsStrip::messageRaised);
        strip.undo();
        QCOMPARE(raised.value(0).value(0).toString(), u"This profile is read-only."_s);
        QVERIFY(engine.orders().isEmpty());
    }

    void holdsWhatItMayAndNothingElse()
    {
        FakeEngine engine;
        UndoHold hold({});
        PageFixture<DeliveriesPage> at(engine);
        PageContext context = contextOf(at.bridge);
        context.undo = &hold;
        ActionRunner runner(context, at.page.get());
        for (const ActionVerb verb : {ActionVerb::Discard, ActionVerb::Restore, ActionVerb::PauseQueue}) {
            ActionRequest request;
            request.verb = verb;
            runner.act(request);
        }
        QTRY_COMPARE(engine.actions().size(), 3);
        QCOMPARE(engine.actions()[0].holdMs, 10'000);
        QCOMPARE(engine.actions()[1].holdMs, 0);
        QCOMPARE(engine.actions()[2].holdMs, 0);
    }

    void howLongIsChosenAndKept()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath(u"layout.ini"_s);
        {
            UndoHold hold(file);
            QCOMPARE(hold.seconds(), 10);
            FakeEngine engine;
            PageFixture<SettingsPage> at(engine, [&](PageContext& context) { context.undo = &hold; });
            SegmentedSwitch* choice = nullptr;
            for (auto* one : at.page->findChildren<SegmentedSwitch*>())
                if (one->accessibleName() == u"Actions begin")
                    choice = one;
            QVERIFY(choice);
            QCOMPARE(choice->current(), 2);
            Q_EMIT choice->chosen(0);
            QCOMPARE(hold.seconds(), 0);
            hold.setSeconds(7); // is no choice
            QCOMPARE(hold.seconds(), 0);
        }
        QCOMPARE(UndoHold(file).seconds(), 0);
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

    static QPushButton* button(const QWidget* parent, const QString& text)
    {
        return PageFixture<DeliveriesPage>::button(parent, text);
    }

    // An engine with a delivery that failed once and waits for an hour.
    void start()
    {
        m_receiver = std::make_unique<HttpReceiver>();
        m_receiver->answer("/hook", ReceiverAnswer::status(500));
        m_folder = std::make_unique<QTemporaryDir>();
        m_engine = patientEngine(m_folder->filePath(u"redrive.db"_s));
        const QByteArray payload = "{\"eventType\":\"a.b\",\"endpoints\":[{\"id\":\"acme\",\"url\":\"" +
                                   m_receiver->url().toUtf8() + "\"}]}";
        m_engine->submit({u"webhook_fanout"_s, payload, 0}, [](const Result<QString>&) {});
        QTRY_COMPARE(m_receiver->arrivalCount(), 1);
    }

    SystemClock m_clock;
    std::unique_ptr<HttpReceiver> m_receiver;
    std::unique_ptr<ThemeController> m_themes;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Engine> m_engine;
};

QTEST_MAIN(UndoWindowTest)
#include "undo_window_test.moc"
