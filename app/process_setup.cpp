#include "app/process_setup.h"

#include <QCoreApplication>

#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <langinfo.h>
#include <sys/resource.h>

namespace redrive {

void setUpProcess()
{
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit none = {0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    std::setlocale(LC_ALL, "");
    if (std::strcmp(::nl_langinfo(CODESET), "UTF-8") != 0) {
        qputenv("LC_ALL", "C.UTF-8");
        std::setlocale(LC_ALL, "");
    }
}

QStringList argumentsOf(int argc, char** argv)
{
    QStringList arguments;
    for (int i = 1; i < argc; ++i)
        arguments.append(QString::fromLocal8Bit(argv[i]));
    return arguments;
}

void nameApplication()
{
    QCoreApplication::setApplicationName(QStringLiteral("redrive"));
    QCoreApplication::setApplicationVersion(QStringLiteral(REDRIVE_VERSION));
}

void endWithoutTakingDown(int exitCode)
{
    std::fflush(nullptr);
    std::_Exit(exitCode);
}

} // namespace redrive
