#include "app/headless_app.h"

#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/engine_start.h"
#include "app/process_setup.h"
#include "app/stop_signals.h"
#include "core/base/log.h"

#include <QCoreApplication>

#include <thread>

namespace redrive {

namespace {

void announce(const RunningEngine& running, bool json)
{
    for (const QString& notice : running.notices)
        logEvent(LogLevel::Notice, "migrations", {{"text", notice}});
    const EngineHealth health = running.engine->health();
    if (json) {
        JsonLine()
            .add("listen", health.listenUrl)
            .addTextOrNull("listenTls", health.listenTlsUrl)
            .add("database", running.place.target.path)
            .print();
        return;
    }
    const QString urls = health.listenTlsUrl.isEmpty() ? health.listenUrl
                                                       : health.listenUrl + u" and "_s + health.listenTlsUrl;
    printLine(u"Listening on %1, database %2"_s.arg(urls, running.place.target.path));
    if (health.insecureListen)
        printNotice(u"insecure_listen is on: everybody who reaches this machine is let in"_s);
}

} // namespace

int runServe(const Invocation& invocation)
{
    auto running = startEngine(invocation, EngineRole::Work);
    if (!running)
        return failed(running.error());
    Engine& engine = *running->engine;
    std::thread stopping;
    {
        const StopSignals signals([&](int count) {
            if (count > 1) {
                logEvent(LogLevel::Warning, "stop_forced");
                engine.stop(StopMode::Hard);
                return;
            }
            logEvent(LogLevel::Notice, "stop_requested");
            stopping = std::thread([&engine] {
                engine.stop(StopMode::Soft);
                QMetaObject::invokeMethod(qApp, &QCoreApplication::quit, Qt::QueuedConnection);
            });
        });
        announce(*running, invocation.json);
        QCoreApplication::exec();
    }
    if (stopping.joinable())
        stopping.join();
    if (engine.leftThreadsBehind())
        endWithoutTakingDown(exit_code::kDone);
    return exit_code::kDone;
}

} // namespace redrive
