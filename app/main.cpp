#include "app/command_line/run_command.h"
#include "app/process_setup.h"

#include <QCoreApplication>

using namespace redrive;

int main(int argc, char** argv)
{
    setUpProcess();
    const auto invocation = parseInvocation(argumentsOf(argc, argv));
    if (const auto code = answerAtOnce(invocation))
        return *code;
    QCoreApplication application(argc, argv);
    nameApplication();
    return runCommand(*invocation);
}
