// Grabs the console's parts with sample values, to be looked at: redrive_gallery DIR [--font NAME] [--mono
// NAME]. Light and dark; set QT_SCALE_FACTOR for other scales.
#include "tests/ui/gallery/samples.h"
#include "ui/dialogs/keyboard_dialog.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/filter_bar.h"
#include "ui/widgets/look.h"
#include "ui/widgets/nav_view.h"
#include "ui/widgets/plain_label.h"
#include "ui/widgets/state_badge.h"
#include "ui/widgets/theme_controller.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QCommandLineParser>
#include <QDir>
#include <QFontDatabase>
#include <QFormLayout>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QProgressBar>
#include <QRadioButton>
#include <QSpinBox>
#include <QTemporaryDir>

#include <cstdio>

using namespace redrive;

namespace {

bool saveGrab(QWidget& widget, const QDir& directory, const QString& name)
{
    QApplication::sendPostedEvents();
    const auto path = directory.filePath(name + u".png"_s);
    if (widget.grab().save(path))
        return true;
    std::fprintf(stderr, "cannot write %s\n", qPrintable(path));
    return false;
}

QWidget* controls()
{
    auto* sheet = new QWidget;
    auto* form = new QFormLayout(sheet);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(makeButton(u"Requeue 1 job"_s, u"requeue"_s));
    buttons->addWidget(makeAccentButton(u"Replay 20 deliveries"_s, u"replay"_s));
    auto* disabled = makeButton(u"Discard"_s, u"discard"_s);
    disabled->setEnabled(false);
    buttons->addWidget(disabled);
    auto* merge = makeSmallButton(u"Merge"_s);
    setKeyCap(merge, u"M"_s);
    buttons->addWidget(merge);
    buttons->addStretch(1);
    form->addRow(u"Buttons"_s, buttons);
    auto* badges = new QHBoxLayout;
    for (const auto& state : {u"pending"_s, u"processing"_s, u"retrying"_s, u"held"_s, u"failed"_s, u"dead"_s,
                              u"done"_s, u"cancelled"_s, u"unknown"_s}) {
        auto* badge = new StateBadge;
        badge->setState(state);
        badges->addWidget(badge);
    }
    badges->addStretch(1);
    form->addRow(u"States"_s, badges);
    auto* combo = new QComboBox;
    combo->addItems({u"Failed endpoints only"_s, u"All endpoints"_s});
    form->addRow(u"Target"_s, combo);
    auto* spin = new QSpinBox;
    spin->setValue(20);
    spin->setSuffix(u" per s"_s);
    form->addRow(u"Speed"_s, spin);
    form->addRow(u"Reason"_s, new QLineEdit(u"Certificate renewed by Kestrel at 14:20, INC-2291"_s));
    auto* choices = new QHBoxLayout;
    auto* chosen = new QRadioButton(u"all 1\u202F204 matching"_s);
    chosen->setChecked(true);
    auto* check = new QCheckBox(u"Canary first"_s);
    check->setChecked(true);
    choices->addWidget(chosen);
    choices->addWidget(new QRadioButton(u"8 selected"_s));
    choices->addWidget(check);
    choices->addWidget(new QCheckBox(u"Ask"_s));
    choices->addStretch(1);
    form->addRow(u"Scope"_s, choices);
    auto* bar = new QProgressBar;
    bar->setValue(70);
    form->addRow(u"Progress"_s, bar);
    return sheet;
}

bool grabAll(ThemeController& themes, const QDir& directory, const QString& suffix)
{
    QTemporaryDir data;
    MainWindow window(themes, {u"PROD-EU"_s, u"violet"_s, true, data.filePath(u"layout.ini"_s)});
    const auto theme = themes.theme();
    const auto pages = samples::allPages();
    for (auto* page : pages)
        window.addPage(page);
    window.start();
    themes.setTheme(theme);
    auto* nav = window.navigator();
    nav->setCount(u"jobs"_s, 9412, false);
    nav->setCount(u"jobs/active"_s, 41, false);
    nav->setCount(u"timers"_s, 612, false);
    nav->setCount(u"dead-letters"_s, 999, true);
    nav->setCount(u"deliveries"_s, 31'806, false);
    window.setStatus(
        {u"processing"_s, u"Engine running"_s, 398, 200, u"Breaker open: kestrel-pay"_s, u"breakerOpen"_s});
    window.resize(1600, 970);
    window.show();
    window.activateWindow();
    QApplication::setActiveWindow(&window);
    bool ok = true;
    for (auto* page : pages) {
        window.showEntry(page->entry().id);
        ok = saveGrab(window, directory, page->entry().id + suffix) && ok;
    }
    window.showEntry(u"dead-letters"_s);
    window.filterBar()->setText(u"status:dead age:>3x"_s);
    static_cast<Page*>(pages[3])->setFilter(u"status:dead age:>3x"_s);
    window.filterBar()->focusField();
    ok = saveGrab(window, directory, u"filter-error"_s + suffix) && ok;

    KeyboardDialog keys(window.menuBar());
    keys.show();
    ok = saveGrab(keys, directory, u"keyboard"_s + suffix) && ok;
    const std::unique_ptr<QWidget> sheet(controls());
    sheet->show();
    ok = saveGrab(*sheet, directory, u"controls"_s + suffix) && ok;
    for (auto* action : window.menuBar()->actions()) {
        if (action->text() == u"&View" || action->text() == u"Dead letters") {
            action->menu()->popup(QPoint(0, 0));
            ok = saveGrab(*action->menu(), directory,
                          (action->text() == u"&View" ? u"menu-view"_s : u"menu-page"_s) + suffix) &&
                 ok;
            action->menu()->close();
        }
    }
    auto* pane = static_cast<DetailPane*>(pages[3]->detail());
    const QStringList tabs{u"timeline"_s, u"attempts"_s, u"payload"_s};
    for (int tab = 0; tab < tabs.size(); ++tab) {
        pane->setCurrentTab(tab);
        ok = saveGrab(*pane, directory, tabs[tab] + suffix) && ok;
    }
    // The other theme under the same window.
    themes.setTheme(theme == Theme::Light ? Theme::Dark : Theme::Light);
    window.showEntry(u"dead-letters"_s, u""_s);
    ok = saveGrab(window, directory, u"switched-from"_s + suffix) && ok;
    return ok;
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    QCommandLineParser parser;
    parser.addPositionalArgument(u"dir"_s, u"where the pictures go"_s);
    parser.addOptions(
        {{u"font"_s, u"family of the text"_s, u"name"_s}, {u"mono"_s, u"family of ids"_s, u"name"_s}});
    parser.process(application);
    if (parser.positionalArguments().isEmpty())
        parser.showHelp(2);
    const QDir directory(parser.positionalArguments().constFirst());
    if (!directory.mkpath(u"."_s))
        return 1;
    ThemeController themes(application);
    if (parser.isSet(u"font"_s))
        themes.setFonts(QFont(parser.value(u"font"_s), 10), QFont(parser.value(u"mono"_s), 10));
    bool ok = true;
    for (const auto theme : {Theme::Light, Theme::Dark}) {
        themes.setTheme(theme);
        ok = grabAll(themes, directory, u"-"_s + ThemeController::nameOfTheme(theme)) && ok;
    }
    return ok ? 0 : 1;
}
