// The window over a large store: starts the real program with the driver in it and prints what it measured
// beside the budgets. window_bench PROGRAM [--check] [ROWS]; QT_QPA_PLATFORM says on which screen. With
// --check it fails if the window was blocked or a step never ended.
#include "tests/bench/load_client.h"
#include "tests/support/big_store.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTcpServer>
#include <QTemporaryDir>

#include <cstdio>
#include <ctime>

using namespace redrive;
using namespace redrive::bench;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kEndsWithinMs = 900'000;

double budgetMs(const QString& kind)
{
    return kind == u"start"                            ? 1'000
           : kind == u"filter" || kind == u"aggregate" ? 500
           : kind == u"page" || kind == u"sort"        ? 200
                                                       : 0;
}

// A job that is done at once: an event for nobody.
QByteArray jobBody()
{
    return R"({"type":"webhook_fanout","payload":{"eventType":"order.paid","eventData":{},"endpoints":[]}})";
}

qint64 monotonicMs()
{
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
}

void write(const QString& path, const QByteArray& text)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        qFatal("cannot write %s", qPrintable(path));
}

void print(const QJsonObject& line)
{
    const QString kind = line[u"kind"_s].toString();
    std::printf("%-42s", qPrintable(line[u"step"_s].toString()));
    if (kind == u"scroll")
        std::printf(" %6.0f frames/s (50)", line[u"framesPerSecond"_s].toDouble());
    else if (kind == u"live")
        std::printf(" window thread %4.1f %% of a core (15)", line[u"threadShare"_s].toDouble() * 100);
    else if (const double budget = budgetMs(kind); budget > 0)
        std::printf(" %6d ms (%4.0f)       ", line[u"ms"_s].toInt(), budget);
    else
        std::printf(" %6d ms              ", line[u"ms"_s].toInt());
    std::printf("  processor %5d ms  blocked %4d ms%s  %4.0f MiB\n", line[u"processorMs"_s].toInt(),
                line[u"blockedMs"_s].toInt(), line[u"blocks"_s].toInt() > 0 ? " !" : "  ",
                line[u"mib"_s].toDouble());
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication application(argc, argv);
    QStringList arguments = application.arguments().mid(1);
    const bool check = arguments.removeAll(u"--check"_s) > 0;
    if (arguments.isEmpty())
        qFatal("usage: bench_window PROGRAM [--check] [ROWS]");
    const qint64 rows = arguments.value(1, u"1000000"_s).toLongLong();
    LoadClient load({0, 8, check ? 2'000 : 60'000, jobBody()}); // forks: before anything else

    QTemporaryDir folder;
    QElapsedTimer filling;
    filling.start();
    test::BigStoreShape shape;
    shape.finished = rows;
    shape.telemetry = rows;
    if (const Status filled = test::fillBigStore({folder.filePath(u"redrive.db"_s)}, shape,
                                                 QDateTime::currentMSecsSinceEpoch());
        !filled)
        qFatal("%s", qPrintable(filled.error().text()));
    std::printf("%lld finished jobs and as many rows of telemetry, %.0f MiB, made in %.1f s\n",
                static_cast<long long>(rows),
                double(QFile(folder.filePath(u"redrive.db"_s)).size()) / 1048576,
                double(filling.elapsed()) / 1000);
    std::fflush(stdout);
    write(folder.filePath(u"console.ini"_s), "[window]\npage=jobs\n");

    quint16 port = 0;
    {
        QTcpServer probe;
        probe.listen(QHostAddress::LocalHost);
        port = probe.serverPort();
    }
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"QT_PLUGIN_PATH"_s, QString::fromUtf8(REDRIVE_DRIVER_PLUGINS));
    environment.insert(u"QT_QPA_GENERIC_PLUGINS"_s, u"redrivewindowdriver"_s);
    environment.insert(u"LC_ALL"_s, u"C.UTF-8"_s);
    environment.insert(u"REDRIVE_BENCH_STARTED_MS"_s, QString::number(monotonicMs()));
    program.setProcessEnvironment(environment);
    program.setWorkingDirectory(folder.path());
    program.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    bool allEnded = true;
    int blocks = -1;
    QObject::connect(&program, &QProcess::readyReadStandardOutput, &application, [&] {
        while (program.canReadLine()) {
            const QJsonObject line = QJsonDocument::fromJson(program.readLine()).object();
            if (line.contains(u"wants"_s)) {
                load.start(port);
            } else if (line.contains(u"step"_s)) {
                allEnded = allEnded && line[u"ms"_s].toInt() >= 0;
                print(line);
            } else if (line.contains(u"highestMib"_s)) {
                blocks = line[u"blocks"_s].toInt();
                std::printf("window blocked over 50 ms: %d times; memory at most %.0f MiB (250)\n", blocks,
                            line[u"highestMib"_s].toDouble());
            }
        }
    });
    program.start(QFileInfo(arguments.first()).absoluteFilePath(),
                  {u"--data"_s, folder.path(), u"--listen"_s, u"127.0.0.1:%1"_s.arg(port)});
    if (!program.waitForFinished(kEndsWithinMs))
        program.kill();
    if (program.exitCode() != 0 || blocks < 0) {
        std::printf("the program ended early: %s\n", qPrintable(program.errorString()));
        return 1;
    }
    return check && (blocks > 0 || !allEnded) ? 1 : 0;
}
