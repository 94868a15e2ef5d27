// Grabs every page of the console over an engine made of tables, to be looked at: redrive_page_pictures DIR
// [--font NAME] [--mono NAME]. Light and dark; set QT_SCALE_FACTOR for other scales.
#include "tests/support/manual_clock.h"
#include "tests/ui/support/sample_data.h"
#include "ui/dialogs/action_dialog.h"
#include "ui/dialogs/attempts_dialog.h"
#include "ui/dialogs/edit_dialog.h"
#include "ui/dialogs/endpoint_delete_dialog.h"
#include "ui/dialogs/endpoint_dialog.h"
#include "ui/dialogs/import_dialog.h"
#include "ui/dialogs/rescue_dialog.h"
#include "ui/dialogs/token_dialog.h"
#include "ui/pages/archive_panel.h"
#include "ui/pages/console_pages.h"
#include "ui/pages/dead_letters_page.h"
#include "ui/pages/deliveries_page.h"
#include "ui/pages/endpoints_page.h"
#include "ui/pages/import_action.h"
#include "ui/pages/jobs_page.h"
#include "ui/pages/operations_strip.h"
#include "ui/pages/queues_page.h"
#include "ui/pages/settings_page.h"
#include "ui/pages/timers_page.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/detail_pane.h"
#include "ui/widgets/row_table.h"
#include "ui/widgets/theme_controller.h"

#include <QAction>
#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace redrive;
using namespace redrive::test;

namespace {

constexpr int kSettleMs = 400;

bool saveGrab(QWidget& widget, const QDir& directory, const QString& name)
{
    QTest::qWait(kSettleMs);
    const auto path = directory.filePath(name + u".png"_s);
    if (widget.grab().save(path))
        return true;
    std::fprintf(stderr, "cannot write %s\n", qPrintable(path));
    return false;
}

// One that runs, one that its first ones paused, one that is done.
QList<RedriveInfo> operations(qint64 nowMs)
{
    RedriveInfo runs;
    runs.no = 88;
    runs.verb = u"requeue"_s;
    runs.scope = u"matching error:tls"_s;
    runs.reason = u"certificates were renewed"_s;
    runs.actor = u"anna"_s;
    runs.source = u"console"_s;
    runs.state = RedriveState::Running;
    runs.pace.perSecond = 20;
    runs.total = 214;
    runs.done = 190;
    runs.awaitsOutcomes = true;
    runs.ledger = {24, 8, 3, 168, 7, 2, 0, 2};
    runs.createdAtMs = nowMs;
    RedriveInfo paused = runs;
    paused.no = 87;
    paused.verb = u"replay"_s;
    paused.scope = u"matching endpoint:kestrel-pay status:dead"_s;
    paused.reason.clear();
    paused.state = RedriveState::Paused;
    paused.note = u"the canary: 2 of the first 5 did not succeed"_s;
    paused.pace = {};
    paused.pace.canary = 5;
    paused.total = 1'168;
    paused.done = 5;
    paused.ledger = {1'163, 0, 0, 3, 2, 0, 0, 0};
    RedriveInfo done = runs;
    done.no = 86;
    done.verb = u"discard"_s;
    done.scope = u"41 selected"_s;
    done.state = RedriveState::Done;
    done.pace = {};
    done.total = done.done = 41;
    done.awaitsOutcomes = false;
    done.ledger = {};
    done.finishedAtMs = nowMs;
    return {runs, paused, done};
}

// Ten minutes of work, so that the overview has a past.
void passTenMinutes(FakeEngine& engine, EngineBridge& bridge, ManualClock& clock)
{
    auto health = engine.health();
    auto& totals = health.rates;
    for (int step = 0; step < 124; ++step) {
        clock.advance(5000);
        totals.done += quint64(1900 + 400 * std::sin(step / 9.0) + 37 * (step % 5));
        totals.failed += quint64(90 + (step > 70 && step < 90 ? 260 : 0) + 11 * (step % 3));
        totals.dead += quint64(step > 74 && step < 94 ? 14 : step % 9 == 0);
        engine.setHealth(health);
        bridge.refresh();
    }
    QTest::qWait(kSettleMs);
}

bool grabEmptyAndBroken(ThemeController& themes, const QDir& directory, const QString& suffix)
{
    FakeEngine engine;
    ManualClock clock;
    EngineBridge bridge(engine, clock);
    PageContext context;
    context.bridge = &bridge;
    context.startDemo = [] {};
    QTemporaryDir data;
    const auto theme = themes.theme();
    MainWindow window(themes, {u"DEMO"_s, u"green"_s, false, data.filePath(u"layout.ini"_s)});
    for (auto* page : makePages(context))
        window.addPage(page);
    window.start();
    themes.setTheme(theme);
    window.resize(1280, 720);
    window.show();
    window.showEntry(u"jobs"_s);
    bool ok = saveGrab(window, directory, u"first-run"_s + suffix);
    window.showEntry(u"dead-letters"_s, u"error:tls"_s);
    ok = saveGrab(window, directory, u"no-match"_s + suffix) && ok;
    fillWithSamples(engine, clock.wallMs());
    bridge.refresh();
    window.showEntry(u"dead-letters"_s, {});
    QTest::qWait(kSettleMs);
    auto health = engine.health();
    health.problems = {
        u"Disk full on /var/lib/redrive: new jobs are refused, 1,204 jobs wait. Free at least 64 MB."_s};
    engine.setHealth(health);
    bridge.refresh();
    return saveGrab(window, directory, u"broken"_s + suffix) && ok;
}

// What is asked when the database cannot be opened.
bool grabRescue(const QDir& directory, const QString& suffix)
{
    RescueOffer offer;
    offer.database = u"/var/lib/redrive/jobs.db"_s;
    offer.message =
        u"'jobs.db' is damaged (page 2). It is now read-only so that nothing gets worse. Last good "
        "backup: jobs.db.backup-7-20310501-101400000."_s;
    offer.backups = {
        {u"/var/lib/redrive/jobs.db.backup-7-20310501-101400000"_s, 5'412'000, 1'935'396'840'000},
        {u"/var/lib/redrive/jobs.db.backup-6-20310401-080000000"_s, 4'100'000, 1'932'796'800'000}};
    offer.useBackup = [](const QString&) { return Result<QString>(QString()); };
    offer.recover = [](const std::function<bool(const QString&, qint64)>&) {
        return Result<RescuedFile>(RescuedFile{
            u"/var/lib/redrive/jobs.db.recovered-20310502-101400000"_s,
            {{u"jobs"_s, 12'204, false}, {u"job_attempts"_s, 30'120, true}, {u"messages"_s, 41, true}}});
    };
    RescueDialog dialog(offer);
    dialog.show();
    bool ok = saveGrab(dialog, directory, u"rescue"_s + suffix);
    const auto press = [&dialog](const QString& text) {
        for (auto* button : dialog.findChildren<QPushButton*>())
            if (button->text() == text && button->isVisible())
                button->click();
    };
    press(u"Open a backup\u2026"_s);
    ok = saveGrab(dialog, directory, u"rescue-backups"_s + suffix) && ok;
    press(u"Back"_s);
    press(u"Recover into a new file\u2026"_s);
    return saveGrab(dialog, directory, u"rescue-recovered"_s + suffix) && ok;
}

// The dialog that a letter opens over a page, with the focus on its table.
template <typename Dialog>
bool grabDialog(QWidget* table, Qt::Key letter, const QDir& directory, const QString& name)
{
    QApplication::setActiveWindow(table->window());
    table->setFocus();
    QTest::keyClick(table, letter);
    QTest::qWait(kSettleMs);
    for (auto* widget : QApplication::topLevelWidgets())
        if (auto* dialog = qobject_cast<Dialog*>(widget); dialog && dialog->isVisible()) {
            const bool ok = saveGrab(*dialog, directory, name);
            dialog->close();
            return ok;
        }
    std::fprintf(stderr, "no dialog for %s\n", qPrintable(name));
    return false;
}

bool grabAll(ThemeController& themes, const QDir& directory, const QString& suffix)
{
    FakeEngine engine;
    ManualClock clock;
    fillWithSamples(engine, clock.wallMs() + 620'000);
    EngineBridge bridge(engine, clock);
    PageContext context;
    context.bridge = &bridge;
    context.environment = u"STAGING"_s;
    context.environmentColour = u"ochre"_s;
    context.actor = u"anna"_s;
    QTemporaryDir data;
    const auto theme = themes.theme();
    MainWindow window(themes, {u"STAGING"_s, u"ochre"_s, false, data.filePath(u"layout.ini"_s)});
    const auto pages = makePages(context);
    for (auto* page : pages)
        window.addPage(page);
    engine.setRedrives(operations(clock.wallMs()));
    auto* strip = new OperationsStrip(context, &window);
    window.addOperations(strip, [strip](bool all) { strip->setShowAll(all); });
    window.start();
    QObject::connect(strip, &OperationsStrip::rowsChanged, &window, &MainWindow::setOperationsCount);
    themes.setTheme(theme);
    window.resize(1600, 970);
    window.show();
    window.activateWindow();
    QApplication::setActiveWindow(&window);
    passTenMinutes(engine, bridge, clock);
    bool ok = true;
    for (auto* page : pages) {
        window.showEntry(page->entry().id);
        QTest::qWait(kSettleMs);
        auto* table = page->findChild<RowTable*>();
        table->setCurrentIndex(table->model()->index(std::min(3, table->model()->rowCount() - 2), 0));
        table->setFocus();
        if (auto* pane = qobject_cast<DetailPane*>(page->detail()))
            pane->setCurrentTab(1);
        ok = saveGrab(window, directory, page->entry().id + suffix) && ok;
    }
    auto* letters = static_cast<DeadLettersPage*>(pages[3]);
    window.showEntry(u"dead-letters"_s, u"type:webhook_fanout"_s);
    QTest::qWait(kSettleMs);
    letters->table()->selectAll();
    ActionPlan plan;
    plan.total = 1204;
    plan.willAct = 1160;
    plan.skipped = {{u"is waiting already"_s, 30}, {u"is in the bin"_s, 14}};
    engine.setPlan(plan);
    QTest::keyClick(letters->table(), Qt::Key_R, Qt::ShiftModifier);
    QTest::qWait(kSettleMs);
    for (auto* widget : QApplication::topLevelWidgets())
        if (auto* dialog = qobject_cast<ActionDialog*>(widget); dialog && dialog->isVisible()) {
            ok = saveGrab(*dialog, directory, u"action"_s + suffix) && ok;
            dialog->close();
        }
    window.showEntry(u"deliveries"_s);
    QTest::qWait(kSettleMs);
    for (auto* action : window.currentPage()->pageActions())
        if (action->text().startsWith(u"Compare"_s))
            action->trigger();
    for (auto* widget : QApplication::topLevelWidgets())
        if (auto* dialog = qobject_cast<AttemptsDialog*>(widget); dialog && dialog->isVisible()) {
            ok = saveGrab(*dialog, directory, u"attempts"_s + suffix) && ok;
            dialog->close();
        }
    static_cast<DeliveriesPage*>(window.currentPage())->showMatrix(true);
    QTest::qWait(kSettleMs);
    ok = saveGrab(window, directory, u"matrix"_s + suffix) && ok;
    static_cast<DeliveriesPage*>(window.currentPage())->showMatrix(false);
    window.showEntry(u"endpoints"_s);
    QTest::qWait(kSettleMs);
    auto* endpoints = window.findChild<EndpointsPage*>();
    endpoints->table()->setCurrentIndex(endpoints->table()->model()->index(1, 0));
    static_cast<DetailPane*>(endpoints->detail())->setCurrentTab(0);
    QTest::qWait(kSettleMs);
    ok = saveGrab(window, directory, u"endpoint-health"_s + suffix) && ok;
    for (const int action : {1, 5, 9}) {
        endpoints->pageActions().at(action)->trigger();
        QTest::qWait(kSettleMs);
    }
    if (auto* dialog = endpoints->dialog()) {
        ok = saveGrab(*dialog, directory, u"endpoint"_s + suffix) && ok;
        dialog->close();
    }
    if (auto* dialog = endpoints->rotateDialog()) {
        ok = saveGrab(*dialog, directory, u"rotate"_s + suffix) && ok;
        dialog->close();
    }
    if (auto* dialog = endpoints->deleteDialog()) {
        ok = saveGrab(*dialog, directory, u"endpoint-delete"_s + suffix) && ok;
        dialog->close();
    }
    window.showEntry(u"queues"_s);
    plan.total = 1942;
    plan.willAct = 1912;
    plan.skipped = {{u"in flight: it finishes"_s, 30}};
    engine.setPlan(plan);
    auto* queues = window.findChild<QueuesPage*>();
    queues->table()->setFocus();
    queues->table()->setCurrentIndex(queues->table()->model()->index(0, 0));
    queues->pageActions().at(2)->trigger();
    QTest::qWait(kSettleMs);
    if (auto* dialog = queues->purgeDialog()) {
        ok = saveGrab(*dialog, directory, u"purge"_s + suffix) && ok;
        dialog->close();
    }
    window.showEntry(u"settings"_s);
    auto* settings = static_cast<SettingsPage*>(pages.constLast());
    settings->pageActions().constFirst()->trigger();
    for (auto* dialog : settings->findChildren<TokenDialog*>()) {
        ok = saveGrab(*dialog, directory, u"new-token"_s + suffix) && ok;
        dialog->close();
    }
    if (auto* scroll = settings->findChild<QScrollArea*>())
        scroll->ensureWidgetVisible(settings->archive());
    ok = saveGrab(window, directory, u"archive"_s + suffix) && ok;
    engine.setImport({sampleImport()});
    settings->archive()->importAction()->open(u"/var/lib/redrive/archive/letters-2031-05-02.ndjson.gz"_s);
    QPointer<ImportDialog> import = settings->archive()->importAction()->dialog();
    ok = saveGrab(*import, directory, u"import"_s + suffix) && ok;
    import->close();
    SecretDialog secret(
        {u"shop"_s, u"rdv_0y3nYJ0mLwq8Qd1mHf6tq2o2c7rXyL6lX1nq7uQm0aA"_s, clock.wallMs() + 3'600'000},
        clock.wallMs(), false, &window);
    secret.setAttribute(Qt::WA_DeleteOnClose, false);
    secret.show();
    ok = saveGrab(secret, directory, u"secret"_s + suffix) && ok;
    secret.close();
    window.setNotices({u"HTTP is open to everybody who reaches this machine: insecure_listen is on."_s});
    window.showEntry(u"dead-letters"_s, {});
    engine.setPayload("{\"eventType\": \"order.paid\",\n \"eventData\": {\"id\": 42, \"total\": 12.50},\n "
                      "\"endpoints\": [{\"id\": \"acme\" \"url\": \"https://acme.example/hook\"}]}");
    window.showEntry(u"jobs"_s);
    QTest::qWait(kSettleMs);
    auto* jobs = static_cast<JobsPage*>(window.currentPage());
    jobs->table()->setCurrentIndex(jobs->model()->index(4, 0)); // a dead one
    ok = grabDialog<EditDialog>(jobs->table(), Qt::Key_E, directory, u"edit"_s + suffix) && ok;
    window.showEntry(u"timers"_s);
    QTest::qWait(kSettleMs);
    auto* timers = static_cast<TimersPage*>(window.currentPage());
    timers->table()->setCurrentIndex(timers->model()->index(0, 0));
    ok = grabDialog<ActionDialog>(timers->table(), Qt::Key_P, directory, u"postpone"_s + suffix) && ok;
    window.showEntry(u"dead-letters"_s);
    letters->showBin(true);
    ok = saveGrab(window, directory, u"bin"_s + suffix) && ok;
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
        const auto suffix = u"-"_s + ThemeController::nameOfTheme(theme);
        ok = grabAll(themes, directory, suffix) && ok;
        themes.setTheme(theme);
        ok = grabEmptyAndBroken(themes, directory, suffix) && ok;
        ok = grabRescue(directory, suffix) && ok;
    }
    return ok ? 0 : 1;
}
