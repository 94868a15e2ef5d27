#include "app/command_line/commands.h"
#include "app/command_line/run_command.h"
#include "app/headless_app.h"
#include "app/place.h"
#include "app/process_setup.h"
#ifdef REDRIVE_UI
#include "app/console_app.h"
#endif

#include <QCoreApplication>

using namespace redrive;

namespace {

bool wantsWindow(const Invocation& invocation)
{
    return invocation.command.isEmpty() || invocation.command == u"view";
}

int openWindow([[maybe_unused]] int argc, [[maybe_unused]] char** argv,
               [[maybe_unused]] const Invocation& invocation)
{
#ifdef REDRIVE_UI
    return runConsole(argc, argv, invocation);
#else
    return failed({ErrorKind::Refused,
                   u"this build has no console: `redrive serve` runs the engine without one"_s,
                   {},
                   {}});
#endif
}

} // namespace

int main(int argc, char** argv)
{
    setUpProcess();
    auto invocation = parseInvocation(argumentsOf(argc, argv));
    if (const auto code = answerAtOnce(invocation))
        return *code;
    nameApplication(); // the data folder's name comes from it
    if (const auto applied = applyProfile(*invocation); !applied)
        return failed(applied.error());
    if (wantsWindow(*invocation))
        return openWindow(argc, argv, *invocation);
    QCoreApplication application(argc, argv);
    return invocation->command == u"serve" ? runServe(*invocation) : runCommand(*invocation);
}
