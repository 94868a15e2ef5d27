#include "tests/ui/support/page_fixture.h"
#include "tests/ui/support/sample_data.h"
#include "ui/dialogs/import_dialog.h"
#include "ui/pages/dead_letters_page.h"
#include "ui/pages/import_action.h"
#include "ui/widgets/row_table.h"
#include "ui/widgets/theme_controller.h"

#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>

#include <algorithm>

using namespace redrive;
using namespace redrive::test;

namespace {

ImportProgress progressOf(const ImportCounts& counts, bool isLast = true)
{
    ImportProgress progress;
    progress.counts = counts;
    progress.bytes = 1'000;
    progress.bytesRead = isLast ? 1'000 : 250;
    progress.isLast = isLast;
    return progress;
}

// The dialog as the Dead letters page opens it.
struct Opened
{
    explicit Opened(FakeEngine& engine) : at(engine)
    {
        for (auto* candidate : at.page->pageActions())
            if (auto* import = qobject_cast<ImportAction*>(candidate))
                action = import;
        action->open(u"/var/backups/letters-2031-05-02.ndjson.gz"_s);
        alive = dialog = action->dialog();
    }

    bool says(const QString& text) const
    {
        const auto labels = dialog->findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) {
            return label->isVisible() && label->text().contains(text);
        });
    }

    PageFixture<DeadLettersPage> at;
    ImportAction* action = nullptr;
    ImportDialog* dialog = nullptr;
    QPointer<ImportDialog> alive; // null once it has deleted itself
};

} // namespace

class ImportDialogTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_themes = std::make_unique<ThemeController>(*qApp); }

    void whatWouldComeBackIsSaidAndThenDone()
    {
        FakeEngine engine;
        ImportProgress done = sampleImport();
        done.counts.brought = 211; // one has gone on meanwhile
        done.counts.there = 19;
        engine.setImport({progressOf({40, 0, 0}, false), sampleImport()},
                         {progressOf({100, 3, 0}, false), done});
        engine.hold();
        Opened opened(engine);
        QCOMPARE(opened.dialog->phase(), ImportDialog::Phase::Reading);
        QVERIFY(!opened.dialog->importButton()->isEnabled());
        QVERIFY(opened.says(u"letters-2031-05-02.ndjson.gz"_s));
        engine.release();
        QTRY_COMPARE(opened.dialog->phase(), ImportDialog::Phase::Read);
        QCOMPARE(opened.dialog->importButton()->text(), u"Import 212 letters"_s);
        QVERIFY(opened.says(u"212"_s) && opened.says(u"18"_s));
        const auto* lines = opened.dialog->badLines()->model();
        QVERIFY(opened.dialog->badLines()->isVisible());
        QCOMPARE(lines->rowCount(), 3);
        QCOMPARE(lines->index(0, 0).data().toLongLong(), 17);
        QVERIFY(lines->index(0, 1).data().toString().startsWith(u"is no JSON"_s));
        for (auto* field : opened.dialog->findChildren<QLineEdit*>())
            if (field->accessibleName() == u"Reason"_s)
                field->setText(u" the report server is back "_s);
        QSignalSpy said(opened.dialog, &ImportDialog::said);
        QTest::mouseClick(opened.dialog->importButton(), Qt::LeftButton);
        QTRY_COMPARE(opened.dialog->phase(), ImportDialog::Phase::Over);
        const auto requests = engine.imports();
        QCOMPARE(requests.size(), 2);
        QVERIFY(requests[0].previews && !requests[1].previews);
        QCOMPARE(requests[1].path, u"/var/backups/letters-2031-05-02.ndjson.gz"_s);
        QCOMPARE(requests[1].actor, u"anna"_s);
        QCOMPARE(requests[1].source, u"console"_s);
        QCOMPARE(requests[1].reason, u"the report server is back"_s);
        QCOMPARE(opened.at.messages,
                 QStringList{u"211 dead letters came back, 19 skipped, 3 lines unusable"_s});
        QVERIFY(opened.says(u"211"_s));
        QVERIFY(!opened.dialog->importButton()->isVisible());
        opened.dialog->close();
        QTRY_VERIFY(!opened.alive);
        QCOMPARE(engine.importsStopped(), 0);
    }

    void aDamagedFileSaysHowFarItGoes()
    {
        FakeEngine engine;
        ImportProgress torn = progressOf({7, 0, 0});
        torn.fault = u"the file ends in the middle"_s;
        engine.setImport({torn});
        Opened opened(engine);
        QTRY_COMPARE(opened.dialog->phase(), ImportDialog::Phase::Read);
        QVERIFY(opened.says(u"Read no further: the file ends in the middle"_s));
        QCOMPARE(opened.dialog->importButton()->text(), u"Import 7 letters"_s);
        QVERIFY(opened.dialog->importButton()->isEnabled());
    }

    void nothingToBringBackIsNoImport_data()
    {
        QTest::addColumn<bool>("error");
        QTest::newRow("all there") << false;
        QTest::newRow("cannot be read") << true;
    }
    void nothingToBringBackIsNoImport()
    {
        QFETCH(bool, error);
        FakeEngine engine;
        if (error)
            engine.setImport({tl::unexpected(Error{ErrorKind::NotFound, u"x cannot be read"_s, {}, {}})});
        else
            engine.setImport({progressOf({0, 12, 0})});
        Opened opened(engine);
        QTRY_COMPARE(opened.dialog->phase(), ImportDialog::Phase::Read);
        QVERIFY(!opened.dialog->importButton()->isEnabled());
        QVERIFY(opened.says(error ? u"x cannot be read"_s : u"12"_s));
    }

    void manyWantTheirNumberTyped()
    {
        FakeEngine engine;
        engine.setImport({progressOf({12'345, 0, 0})});
        Opened opened(engine);
        QTRY_COMPARE(opened.dialog->phase(), ImportDialog::Phase::Read);
        QVERIFY(opened.dialog->numberField()->isVisible());
        QVERIFY(!opened.dialog->importButton()->isEnabled());
        opened.dialog->numberField()->setText(u"12345"_s);
        QVERIFY(opened.dialog->importButton()->isEnabled());
    }

    void closedWhileItReadsItStops()
    {
        FakeEngine engine;
        engine.setImport({progressOf({40, 0, 0}, false)});
        Opened opened(engine);
        opened.dialog->close();
        QTRY_VERIFY(!opened.alive);
        QCOMPARE(engine.importsStopped(), 1);
    }

    void closedWhileItImportsItGoesOnAndSaysWhatCame()
    {
        FakeEngine engine;
        engine.setImport({progressOf({40, 0, 0})}, {progressOf({20, 0, 0}, false)});
        Opened opened(engine);
        QTRY_COMPARE(opened.dialog->phase(), ImportDialog::Phase::Read);
        engine.hold();
        QTest::mouseClick(opened.dialog->importButton(), Qt::LeftButton);
        QCOMPARE(opened.dialog->phase(), ImportDialog::Phase::Importing);
        opened.dialog->close();
        QVERIFY(opened.alive && !opened.dialog->isVisible());
        opened.action->trigger(); // is shown again, without another file
        QVERIFY(opened.dialog->isVisible());
        QTest::mouseClick(opened.dialog->stopButton(), Qt::LeftButton);
        QCOMPARE(engine.importsStopped(), 1);
        QTest::keyClick(opened.dialog, Qt::Key_Escape);
        QVERIFY(opened.alive && !opened.dialog->isVisible());
    }

    void whatEndsOutOfSightIsSaid()
    {
        FakeEngine engine;
        ImportProgress stopped = progressOf({20, 0, 0});
        stopped.wasStopped = true;
        engine.setImport({progressOf({40, 0, 0})}, {stopped});
        Opened opened(engine);
        QTRY_COMPARE(opened.dialog->phase(), ImportDialog::Phase::Read);
        engine.hold();
        QTest::mouseClick(opened.dialog->importButton(), Qt::LeftButton);
        opened.dialog->close();
        engine.release();
        QTRY_COMPARE(opened.at.messages,
                     QStringList{u"20 dead letters came back, stopped before the end of the file"_s});
        QTRY_VERIFY(!opened.alive);
    }

private:
    std::unique_ptr<ThemeController> m_themes;
};

QTEST_MAIN(ImportDialogTest)
#include "import_dialog_test.moc"
