#include "tests/ui/gallery/samples.h"
#include "ui/dialogs/keyboard_dialog.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/filter_bar.h"
#include "ui/widgets/nav_view.h"
#include "ui/widgets/plain_label.h"

#include <QAbstractButton>
#include <QClipboard>
#include <QDockWidget>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTextEdit>

using namespace redrive;

namespace {

struct Fixture
{
    explicit Fixture(const QString& file, ThemeController& themes)
        : window(themes, {u"PROD-EU"_s, u"violet"_s, true, file}), pages(samples::allPages())
    {
        for (auto* page : pages)
            window.addPage(page);
        window.start();
        window.show();
        window.activateWindow();
    }
    samples::DeadPage* dead() const { return static_cast<samples::DeadPage*>(pages[3]); }

    MainWindow window;
    QList<Page*> pages;
};

} // namespace

class MainWindowTest final : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { m_themes = std::make_unique<ThemeController>(*qApp); }
    void cleanupTestCase() { m_themes.reset(); }
    void init() { m_data = std::make_unique<QTemporaryDir>(); }

    void everyTextIsPlainAndEveryControlNamed()
    {
        Fixture f(layoutFile(), *m_themes);
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        KeyboardDialog keys(f.window.menuBar(), &f.window);
        int labels = 0;
        const auto widgets = f.window.findChildren<QWidget*>();
        for (auto* widget : widgets) {
            if (const auto* label = qobject_cast<QLabel*>(widget)) {
                QVERIFY2(label->textFormat() == Qt::PlainText || label->text().isEmpty(),
                         qPrintable(label->text()));
                ++labels;
            }
            QVERIFY2(!qobject_cast<QTextEdit*>(widget), "a rich text editor");
            if (Qt::mightBeRichText(widget->toolTip()))
                QVERIFY2(!widget->toolTip().contains(u"<img"), qPrintable(widget->toolTip()));
            if (const auto* button = qobject_cast<QAbstractButton*>(widget);
                button && button->text().isEmpty() && !button->isHidden())
                QVERIFY2(!button->accessibleName().isEmpty(), button->metaObject()->className());
        }
        QVERIFY(labels > 20);
    }

    void keysGoToPages()
    {
        Fixture f(layoutFile(), *m_themes);
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        QTest::keyClicks(f.window.focusWidget(), u"gx"_s);
        QCOMPARE(f.window.currentPage()->entry().id, u"dead-letters"_s);
        QCOMPARE(f.window.navigator()->currentId(), u"dead-letters"_s);
        QVERIFY(f.dead()->table()->hasFocus());
        QTest::keyClick(f.dead()->table(), Qt::Key_R);
        QCOMPARE(f.dead()->requeues(), 1);

        QTest::keyClick(f.dead()->table(), Qt::Key_Slash);
        QVERIFY(f.window.filterBar()->field()->hasFocus());
        QTest::keyClicks(f.window.filterBar()->field(), u"rgt"_s); // letters are text here
        QCOMPARE(f.window.filterBar()->text(), u"rgt"_s);
        QCOMPARE(f.dead()->requeues(), 1);
        QTest::keyClick(f.window.filterBar()->field(), Qt::Key_Escape);
        QVERIFY(f.dead()->table()->hasFocus());
    }

    void filterErrorsComeBack()
    {
        Fixture f(layoutFile(), *m_themes);
        f.window.showEntry(u"dead-letters"_s);
        auto* bar = f.window.filterBar();
        bar->field()->setText({});
        QTest::keyClicks(bar->field(), u"age:>3x"_s);
        QTest::keyClick(bar->field(), Qt::Key_Return);
        QCOMPARE(f.dead()->filter(), u"age:>3x"_s);
        QCOMPARE(bar->errorText(), u"'3x' is not a duration (use 90s, 5m, 2h, 7d)."_s);
    }

    void childEntriesAreFilters()
    {
        Fixture f(layoutFile(), *m_themes);
        f.window.showEntry(u"jobs/active"_s);
        QCOMPARE(f.pages[1]->filter(), u"status:processing"_s);
        QCOMPARE(f.window.filterBar()->text(), u"status:processing"_s);
        f.window.showEntry(u"jobs"_s);
        QVERIFY(f.pages[1]->filter().isEmpty());
        f.window.showEntry(u"jobs"_s, u"type:send_email"_s);
        f.window.showEntry(u"dead-letters"_s);
        f.window.showEntry(u"jobs"_s);
        QCOMPARE(f.window.filterBar()->text(), u"type:send_email"_s);
    }

    void detailFollowsThePage()
    {
        Fixture f(layoutFile(), *m_themes);
        auto* dock = f.window.findChild<QDockWidget*>(u"detail"_s);
        f.window.showEntry(u"overview"_s);
        QVERIFY(dock->isHidden());
        f.window.showEntry(u"dead-letters"_s);
        QVERIFY(!dock->isHidden());
        dock->close();
        f.window.showEntry(u"overview"_s);
        f.window.showEntry(u"dead-letters"_s);
        QVERIFY(dock->isHidden());
        Q_EMIT f.dead()->detailWanted();
        QVERIFY(!dock->isHidden());
    }

    void closingTheDetailReturnsTheFocus()
    {
        Fixture f(layoutFile(), *m_themes);
        f.window.showEntry(u"dead-letters"_s);
        auto* dock = f.window.findChild<QDockWidget*>(u"detail"_s);
        QTRY_VERIFY(f.window.isActiveWindow());
        QAction* shows = nullptr;
        for (auto* action : f.window.findChildren<QAction*>())
            if (action->shortcut() == QKeySequence(u"Ctrl+D"_s))
                shows = action;
        QVERIFY(shows);
        const auto enter = [&] {
            shows->setChecked(true);
            for (auto* child : dock->findChildren<QWidget*>())
                if (child->isVisible() && child->focusPolicy() & Qt::TabFocus) {
                    child->setFocus();
                    break;
                }
            return dock->isAncestorOf(f.window.focusWidget());
        };
        QVERIFY(enter());
        dock->close();
        QCOMPARE(f.window.focusWidget(), f.dead()->focusTarget());
        QVERIFY(enter());
        shows->setChecked(false);
        QCOMPARE(f.window.focusWidget(), f.dead()->focusTarget());
    }

    void copiesTheWholeId()
    {
        Fixture f(layoutFile(), *m_themes);
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        f.window.showEntry(u"dead-letters"_s);
        f.dead()->table()->setFocus();
        QTest::keyClick(f.dead()->table(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), u"01a22cd3-9b11-7c3e-a4f0-2d8e61b09e41"_s);
    }

    void comesBackAsItWas()
    {
        const QFont lists(u"DejaVu Sans"_s, 13);
        const QFont payloads(u"DejaVu Sans Mono"_s, 12);
        {
            Fixture f(layoutFile(), *m_themes);
            f.window.showEntry(u"dead-letters"_s, u"type:send_email"_s);
            f.dead()->table()->setColumnWidth(1, 211);
            m_themes->setTheme(Theme::Dark);
            m_themes->setDensity(Density::Compact);
            m_themes->chooseFonts(lists.toString(), payloads.toString());
            f.window.close();
        }
        m_themes->setTheme(Theme::Light);
        m_themes->setDensity(Density::Comfortable);
        m_themes->chooseFonts({}, {});
        Fixture f(layoutFile(), *m_themes);
        QCOMPARE(f.window.currentPage()->entry().id, u"dead-letters"_s);
        QCOMPARE(f.window.filterBar()->text(), u"type:send_email"_s);
        QCOMPARE(f.dead()->table()->columnWidth(1), 211);
        QCOMPARE(m_themes->theme(), Theme::Dark);
        QCOMPARE(m_themes->density(), Density::Compact);
        QCOMPARE(m_themes->listFont(), lists.toString());
        QCOMPARE(m_themes->payloadFont(), payloads.toString());
        m_themes->setDensity(Density::Comfortable);
        m_themes->chooseFonts({}, {});
    }

    void guardKeepsTheWindowOpen()
    {
        Fixture f(layoutFile(), *m_themes);
        bool allow = false;
        f.window.setCloseGuard([&allow] { return allow; });
        QVERIFY(!f.window.close());
        allow = true;
        QVERIFY(f.window.close());
    }

private:
    QString layoutFile() const { return m_data->filePath(u"layout.ini"_s); }

    std::unique_ptr<ThemeController> m_themes;
    std::unique_ptr<QTemporaryDir> m_data;
};

QTEST_MAIN(MainWindowTest)
#include "main_window_test.moc"
