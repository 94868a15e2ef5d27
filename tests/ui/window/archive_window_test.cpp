// The archive over a real engine: what leaves the database by the Settings page and comes back by the Dead
// letters page.
#include "core/engine/engine.h"
#include "tests/deadletter/archive_rig.h"
#include "tests/ui/support/page_fixture.h"
#include "ui/dialogs/import_dialog.h"
#include "ui/pages/activity_page.h"
#include "ui/pages/archive_panel.h"
#include "ui/pages/dead_letters_page.h"
#include "ui/pages/import_action.h"
#include "ui/pages/settings_page.h"
#include "ui/widgets/row_table.h"
#include "ui/widgets/theme_controller.h"

using namespace redrive;
using namespace redrive::test;

class ArchiveWindowTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void lettersLeaveAndComeBackWithTheMouse()
    {
        const ThemeController themes(*qApp);
        ArchiveRig rig;
        LetterMaker make(rig.store, QDateTime::currentMSecsSinceEpoch());
        for (int i = 0; i < 120; ++i)
            make.job(u"job%1"_s.arg(i), u"open"_s, 14.5);
        EngineOptions options;
        options.database = rig.store.target();
        options.listen = false;
        options.consume = false; // nothing leaves by itself
        options.settings.archive = rig.settings;
        auto started = Engine::start(options);
        QVERIFY(started);
        Engine& engine = **started;
        const auto letters = [&] { return rig.store.number(u"SELECT count(*) FROM dead_letters"_s); };
        QString file;
        {
            PageFixture<SettingsPage> at(engine);
            QTest::mouseClick(at.button(u"Write now"_s), Qt::LeftButton);
            QTRY_COMPARE(at.messages, QStringList{u"120 letters written to the archive"_s});
            QCOMPARE(letters(), 0);
            const RowTable* table = at.page->archive()->table();
            QTRY_COMPARE(table->model()->rowCount(), 1);
            QTRY_COMPARE(table->model()->index(0, 2).data().toLongLong(), 120);
            file = rig.pathOf(table->model()->index(0, 0).data(RowIdRole).toString());
        }
        PageFixture<DeadLettersPage> at(engine);
        QTRY_COMPARE(at.page->model()->phase(), ListPhase::Complete);
        QCOMPARE(at.page->model()->rowCount(), 0);
        ImportAction* import = nullptr;
        for (auto* action : at.page->pageActions())
            if (auto* found = qobject_cast<ImportAction*>(action))
                import = found;
        QVERIFY(import && import->isEnabled());
        import->open(file);
        QTRY_COMPARE(import->dialog()->importButton()->text(), u"Import 120 letters"_s);
        QCOMPARE(letters(), 0);
        QTest::mouseClick(import->dialog()->importButton(), Qt::LeftButton);
        QTRY_COMPARE(at.messages, QStringList{u"120 dead letters came back"_s});
        QCOMPARE(letters(), 120);
        QTRY_COMPARE(at.page->model()->rowCount(), 120);
        import->dialog()->close();
        PageFixture<ActivityPage> activity(engine);
        QTRY_COMPARE(activity.page->model()->rowCount(), 1);
        const auto shown = [&](const QString& text) {
            for (int column = 0; column < activity.page->model()->columnCount(); ++column)
                if (activity.page->model()->index(0, column).data().toString() == text)
                    return true;
            return false;
        };
        QTRY_VERIFY(shown(u"Import"_s));
        QVERIFY(shown(file) && shown(u"anna"_s));
    }
};

QTEST_MAIN(ArchiveWindowTest)
#include "archive_window_test.moc"
