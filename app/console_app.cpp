#include "app/console_app.h"

#include "app/close_question.h"
#include "app/command_line/commands.h"
#include "app/engine_start.h"
#include "app/known_secrets.h"
#include "app/operator_name.h"
#include "app/process_setup.h"
#include "app/start_failure.h"
#include "app/stop_signals.h"
#include "app/verifier.h"
#include "core/base/log.h"
#include "ui/bridge/engine_bridge.h"
#include "ui/models/standing_notices.h"
#include "ui/models/state_words.h"
#include "ui/models/undo_hold.h"
#include "ui/pages/console_pages.h"
#include "ui/pages/operations_strip.h"
#include "ui/shell/alert_notifier.h"
#include "ui/shell/failing_targets.h"
#include "ui/shell/main_window.h"
#include "ui/shell/window_watchdog.h"
#include "ui/widgets/theme_controller.h"

#include <QApplication>
#include <QDir>
#include <QProcess>

namespace redrive {

namespace {

bool hasDisplay()
{
    return !qEnvironmentVariableIsEmpty("DISPLAY") || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") ||
           !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM");
}

WindowSetup windowSetup(const Place& place, const Profile& profile, bool readOnly)
{
    WindowSetup setup;
    setup.environment = profile.name.isEmpty() ? place.settings.environment : profile.name.toUpper();
    setup.environmentColour = profile.colour;
    setup.readOnly = readOnly || profile.production;
    const QString which = profile.name.isEmpty() ? place.settings.environment : profile.name;
    const QString name = which.isEmpty() ? u"console"_s : u"console-"_s + which;
    setup.layoutFile = place.dataFolder + u'/' + name + u".ini"_s;
    return setup;
}

PageContext pageContext(EngineBridge& bridge, ThemeController& themes, UndoHold& undo,
                        const RunningEngine& running, const Profile& profile)
{
    const Place& place = running.place;
    PageContext context;
    context.bridge = &bridge;
    context.themes = &themes;
    context.undo = &undo;
    context.environment = profile.name.isEmpty() ? place.settings.environment : profile.name.toUpper();
    context.environmentColour = profile.colour;
    context.production = profile.production;
    context.readOnly = profile.production || running.engine->health().readOnly;
    context.actor = operatorName();
    context.startDemo = [folder = place.dataFolder] {
        QProcess::startDetached(QCoreApplication::applicationFilePath(), {u"--demo"_s, u"--data"_s, folder});
    };
    return context;
}

QString breakerNote(const std::optional<StoreCounts>& counts)
{
    if (!counts || counts->breakers.isEmpty())
        return {};
    const auto newest = cellText(counts->breakers.first().endpointId);
    return counts->openBreakers > 1 ? QCoreApplication::translate("Console", "Breakers open: %1 and %2 more")
                                          .arg(newest)
                                          .arg(counts->openBreakers - 1)
                                    : QCoreApplication::translate("Console", "Breaker open: %1").arg(newest);
}

EngineStatus statusOf(const EngineHealth& health, const std::optional<StoreCounts>& counts, EngineRole role)
{
    EngineStatus status;
    if (role == EngineRole::View) {
        status.glyph = u"held"_s;
        status.text = QCoreApplication::translate("Console", "Viewing, without an engine of its own");
        return status;
    }
    status.glyph = health.running ? u"processing"_s : u"dead"_s;
    status.text = health.running ? QCoreApplication::translate("Console", "Engine running")
                                 : QCoreApplication::translate("Console", "Engine stopped");
    status.jobsPerSecond = health.rates.donePerSecond;
    const QString breaker = breakerNote(counts);
    status.note = !health.problems.isEmpty()  ? health.problems.first()
                  : !health.notices.isEmpty() ? health.notices.first()
                  : !breaker.isEmpty()        ? breaker
                                              : health.listenUrl;
    status.noteGlyph = !health.problems.isEmpty() ? u"dead"_s
                       : status.note == breaker   ? u"breakerOpen"_s
                                                  : QString();
    return status;
}

// The demo's are not in any file.
std::function<QHash<QString, QByteArray>()> secretReader(const Place& place, const Invocation& invocation)
{
    return [invocation, demo = invocation.demo ? place.settings.secrets : QHash<QString, QByteArray>()] {
        auto secrets = demo;
        secrets.insert(secretsKnownNow(invocation));
        return secrets;
    };
}

void fill(MainWindow& window, ThemeController& themes, EngineBridge& bridge, const RunningEngine& running,
          EngineRole role, const Invocation& invocation)
{
    auto* undo = new UndoHold(window.layoutFile(), &window);
    const PageContext context = pageContext(bridge, themes, *undo, running, invocation.profile);
    for (Page* page : makePages(context))
        window.addPage(page);
    auto* operations = new OperationsStrip(context, &window);
    window.addOperations(operations, [operations](bool all) { operations->setShowAll(all); });
    const auto* elsewhere = role == EngineRole::View ? new FailingTargets(bridge, &window) : nullptr;
    const auto show = [&window, &bridge, role, elsewhere](const EngineHealth& health) {
        window.setStatus(statusOf(health, bridge.counts(), role));
        window.setNotices(standingNotices(elsewhere ? elsewhere->addedTo(health) : health, bridge.nowMs()));
    };
    QObject::connect(&bridge, &EngineBridge::healthChanged, &window, show);
    if (elsewhere)
        QObject::connect(elsewhere, &FailingTargets::changed, &window,
                         [&bridge, show] { show(bridge.health()); });
    window.addTool(
        QCoreApplication::translate("Console", "Verify a &signature\u2026"),
        [&window, secrets = secretReader(running.place, invocation)] { openVerifier(&window, secrets); });
    window.start();
    window.setOperationsCount(operations->rowCount());
    QObject::connect(operations, &OperationsStrip::rowsChanged, &window, &MainWindow::setOperationsCount);
    QObject::connect(operations, &OperationsStrip::pageWanted, &window,
                     qOverload<const QString&, const QString&>(&MainWindow::showEntry));
    QObject::connect(operations, &OperationsStrip::messageRaised, &window, &MainWindow::showMessage);
    QObject::connect(&window, &MainWindow::undoWanted, operations, &OperationsStrip::undo);
    show(running.engine->health());
    for (const QString& notice : running.notices)
        window.showMessage(notice);
}

// Nothing: the operator decided not to go on.
std::optional<RunningEngine> startOrAsk(const Invocation& invocation, EngineRole& role)
{
    for (;;) {
        auto running = startEngine(invocation, role);
        if (!running && running.error().kind == ErrorKind::ReadOnly && role == EngineRole::Work) {
            role = EngineRole::View; // what is there can still be looked at; the window says why no job runs
            running = startEngine(invocation, role);
        }
        if (running)
            return std::move(*running);
        failed(running.error());
        if (!askAfterStartFailure(running.error(), invocation))
            return std::nullopt;
    }
}

constexpr int kStartAgain = 1'000; // no exit code of the program: see run()

// A window that reads only, because nothing could be written, goes on as another one when that is over.
void startAgainWhenWritable(EngineBridge& bridge, MainWindow& window, bool began)
{
    if (!began)
        return;
    QObject::connect(&bridge, &EngineBridge::healthChanged, &window, [](const EngineHealth& health) {
        if (!health.readOnly)
            QCoreApplication::exit(kStartAgain);
    });
}

// On the desktop where there is a tray; the bell counts what nobody has looked at in any case.
void tellOfAlerts(AlertNotifier& alerts, MainWindow& window, CloseQuestion& question)
{
    QObject::connect(&alerts, &AlertNotifier::raised, &window,
                     [&window, &question](const QString& title, const QString& text) {
                         if (!question.notify(title, text))
                             window.showMessage(title + u": "_s + text);
                     });
    QObject::connect(&alerts, &AlertNotifier::unseenChanged, &window, [&window](int count) {
        window.setBell(count, QCoreApplication::translate("Console", "Show the alerts"));
    });
    QObject::connect(&window, &MainWindow::entryShown, &alerts, [&alerts](const QString& entryId) {
        if (entryId.startsWith(u"activity"))
            alerts.setSeen();
    });
    QObject::connect(&question, &CloseQuestion::notificationPressed, &window,
                     [&window] { window.showEntry(u"activity/alerts"_s); });
}

int showConsole(QApplication& application, ThemeController& themes, RunningEngine& running, EngineRole role,
                const Invocation& invocation)
{
    SystemClock clock;
    EngineBridge bridge(*running.engine, clock);
    const bool readOnly = running.engine->health().readOnly;
    MainWindow window(themes, windowSetup(running.place, invocation.profile, readOnly));
    fill(window, themes, bridge, running, role, invocation);
    startAgainWhenWritable(bridge, window, readOnly);
    CloseQuestion question(window, bridge, role == EngineRole::Work);
    AlertNotifier alerts(bridge);
    tellOfAlerts(alerts, window, question);
    window.show();
    const WindowWatchdog watchdog(&window);
    const int ended = application.exec();
    window.hide();
    return ended;
}

int run(QApplication& application, const Invocation& invocation, EngineRole asked)
{
    ThemeController themes(application);
    const QString folder = dataFolderOf(invocation);
    if (QDir().mkpath(folder))
        setLogFile(folder + u"/redrive.log"_s);
    for (;;) {
        // From before the engine listens: whoever sees it may ask it to stop before there is a window.
        RunningEngine* current = nullptr;
        auto signals = std::make_unique<StopSignals>([&current](int count) {
            if (count > 1 && current)
                current->engine->stop(StopMode::Hard);
            else
                QCoreApplication::exit(); // quit() would close the window, which asks
        });
        EngineRole role = asked;
        auto running = startOrAsk(invocation, role);
        if (!running)
            return exit_code::kFailed;
        current = &*running;
        const int ended = showConsole(application, themes, *running, role, invocation);
        signals.reset(); // one more while it stops ends it at once
        running->engine->stop(StopMode::Soft);
        if (running->engine->leftThreadsBehind())
            endWithoutTakingDown(exit_code::kDone);
        if (ended != kStartAgain)
            return exit_code::kDone;
    }
}

} // namespace

int runConsole(int argc, char** argv, const Invocation& invocation)
{
    if (!hasDisplay())
        return failed({ErrorKind::Refused,
                       u"there is no display: `redrive serve` runs the engine without one"_s,
                       {},
                       {}});
    QApplication application(argc, argv);
    application.setQuitOnLastWindowClosed(false);
    const bool view = invocation.command == u"view" || !invocation.profile.engine;
    return run(application, invocation, view ? EngineRole::View : EngineRole::Work);
}

} // namespace redrive
