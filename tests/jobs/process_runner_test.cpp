#include "core/jobs/process_runner.h"

#include "core/jobs/handler.h"

#include <QDir>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <future>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace redrive;
using End = ProcessOutcome::End;

namespace {

ProcessRequest script(const QString& text)
{
    ProcessRequest request;
    request.program = u"/bin/sh"_s;
    request.arguments = {u"-c"_s, text};
    return request;
}

Result<ProcessOutcome> run(const ProcessRequest& request)
{
    const StopSignal never;
    return runProcess(request, never);
}

QByteArray fileContent(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// Ended: unknown to the system, or waiting for a parent that may never look.
bool isGone(int pid)
{
    const QByteArray stat = fileContent(u"/proc/%1/stat"_s.arg(pid));
    const char state = stat.mid(stat.lastIndexOf(')') + 2, 1).append(' ').front();
    return stat.isEmpty() || state == 'Z' || state == 'X';
}

int aliveInGroup(int group)
{
    int alive = 0;
    for (const QString& name : QDir(u"/proc"_s).entryList({u"[0-9]*"_s}, QDir::Dirs)) {
        const QByteArray stat = fileContent(u"/proc/%1/stat"_s.arg(name));
        // after the name in parentheses: state, parent, group
        const QList<QByteArray> fields = stat.mid(stat.lastIndexOf(')') + 2).split(' ');
        alive += fields.size() > 2 && fields[2].toInt() == group && fields[0] != "Z" && fields[0] != "X";
    }
    return alive;
}

bool hasNoChildren()
{
    return waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD;
}

// A stop signal and a file that the program writes its process ids to.
struct Steered
{
    StopSignal stop;
    QTemporaryDir folder;
    QString pids = folder.filePath(u"pids"_s);

    QList<int> waitForPids(int count) const
    {
        QList<int> result;
        [&] { QTRY_VERIFY_WITH_TIMEOUT(fileContent(pids).count('\n') >= count, 10'000); }();
        for (const QByteArray& line : fileContent(pids).split('\n')) {
            if (!line.isEmpty())
                result.append(line.toInt());
        }
        return result;
    }
};

} // namespace

class ProcessRunnerTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { QVERIFY(hasNoChildren()); }

    void tellsHowItEnded_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<int>("signal");
        QTest::newRow("done") << u"true"_s << 0 << 0;
        QTest::newRow("failed") << u"exit 1"_s << 1 << 0;
        QTest::newRow("permanent") << u"exit 65"_s << 65 << 0;
        QTest::newRow("highest code") << u"exit 255"_s << 255 << 0;
        QTest::newRow("killed") << u"kill -9 $$"_s << 0 << SIGKILL;
        QTest::newRow("crashed") << u"kill -SEGV $$"_s << 0 << SIGSEGV;
        QTest::newRow("terminated by itself") << u"kill -TERM $$"_s << 0 << SIGTERM;
    }
    void tellsHowItEnded()
    {
        QFETCH(QString, text);
        QFETCH(int, signal);
        const auto outcome = run(script(text));
        QVERIFY(outcome);
        QTEST(outcome->exitCode, "exitCode");
        QCOMPARE(outcome->signal, signal);
        QCOMPARE(outcome->end, signal ? End::Signalled : End::Exited);
    }

    void outputsAreKeptApart()
    {
        const auto outcome = run(script(u"echo out; echo err >&2; printf 'a\\0b'"_s));
        QCOMPARE(outcome->output, QByteArray("out\na\0b", 7));
        QCOMPARE(outcome->errors, "err\n");
        QVERIFY(!outcome->outputCut && !outcome->errorsCut);
    }

    void inputArrivesWhole_data()
    {
        QTest::addColumn<QByteArray>("input");
        QTest::newRow("none") << QByteArray();
        QTest::newRow("small") << QByteArray(R"({"a":9007199254740993})");
        QTest::newRow("NUL and newline") << QByteArray("a\0b\n", 4);
        QTest::newRow("larger than a pipe") << QByteArray(60'000, 'x') + "end";
    }
    void inputArrivesWhole()
    {
        QFETCH(QByteArray, input);
        ProcessRequest request = script(u"exec cat"_s);
        request.input = input;
        QCOMPARE(run(request)->output, input);
    }

    void inputLargerThanThePipeIsNotWaitedFor_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QByteArray>("output");
        QTest::newRow("counted") << u"exec wc -c"_s << QByteArray("1000000\n");
        QTest::newRow("not read") << u"exit 0"_s << QByteArray();
        QTest::newRow("closed") << u"exec 0<&-; echo closed"_s << QByteArray("closed\n");
        QTest::newRow("opened by name") << u"wc -c < /dev/stdin"_s << QByteArray("1000000\n");
        QTest::newRow("after much output")
            << u"head -c 300000 /dev/zero >&2; exec wc -c"_s << QByteArray("1000000\n");
    }
    void inputLargerThanThePipeIsNotWaitedFor()
    {
        QFETCH(QString, text);
        ProcessRequest request = script(text);
        request.input = QByteArray(1'000'000, 'x');
        const auto outcome = run(request);
        QCOMPARE(outcome->exitCode, 0);
        QTEST(outcome->output, "output");
    }

    void floodsAreReadAndCut_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qsizetype>("output");
        QTest::addColumn<qsizetype>("errors");
        QTest::newRow("exactly") << u"head -c 65536 /dev/zero"_s << qsizetype(65'536) << qsizetype(0);
        QTest::newRow("one more") << u"head -c 65537 /dev/zero"_s << qsizetype(65'537) << qsizetype(0);
        QTest::newRow("20 MB") << u"head -c 20000000 /dev/zero"_s << qsizetype(20'000'000) << qsizetype(0);
        QTest::newRow("both") << u"head -c 3000000 /dev/zero & head -c 3000000 /dev/zero >&2; wait"_s
                              << qsizetype(3'000'000) << qsizetype(3'000'000);
    }
    void floodsAreReadAndCut()
    {
        QFETCH(qsizetype, output);
        QFETCH(qsizetype, errors);
        QFETCH(QString, text);
        const auto outcome = run(script(text));
        QCOMPARE(outcome->end, End::Exited);
        QCOMPARE(outcome->exitCode, 0);
        QCOMPARE(outcome->output.size(), std::min<qsizetype>(output, 65'536));
        QCOMPARE(outcome->errors.size(), std::min<qsizetype>(errors, 65'536));
        QCOMPARE(outcome->outputCut, output > 65'536);
        QCOMPARE(outcome->errorsCut, errors > 65'536);
    }

    void endlessOutputEndsAtTheTimeLimit()
    {
        ProcessRequest request = script(u"exec yes flood"_s);
        request.timeoutMs = 100;
        const auto outcome = run(request);
        QCOMPARE(outcome->end, End::TimedOut);
        QVERIFY(outcome->outputCut);
    }

    void theTimeLimitKillsTheWholeGroup_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("processes");
        QTest::newRow("waiting") << u"echo $$ > \"$PIDS\"; sleep 1000"_s << 1;
        QTest::newRow("deaf to SIGTERM")
            << u"trap '' TERM; echo $$ > \"$PIDS\"; while :; do sleep 1000; done"_s << 1;
        QTest::newRow("with children")
            << u"sleep 1000 & echo $! > \"$PIDS\"; sleep 1000 & echo $! >> \"$PIDS\"; echo $$ >> \"$PIDS\"; wait"_s
            << 3;
        QTest::newRow("children deaf to SIGTERM")
            << u"(trap '' TERM; sleep 1000 & echo $! >> \"$PIDS\"; wait) & echo $$ >> \"$PIDS\"; sleep 1000"_s
            << 2;
    }
    void theTimeLimitKillsTheWholeGroup()
    {
        QFETCH(QString, text);
        QFETCH(int, processes);
        Steered steered;
        ProcessRequest request = script(text);
        request.environment[u"PIDS"_s] = steered.pids;
        request.timeoutMs = 300;
        const auto outcome = runProcess(request, steered.stop);
        QCOMPARE(outcome->end, End::TimedOut);
        QVERIFY(outcome->durationMs >= 300);
        const QList<int> pids = steered.waitForPids(processes);
        QCOMPARE(pids.size(), processes);
        for (const int pid : pids)
            QTRY_VERIFY(isGone(pid));
    }

    void childrenInASessionOfTheirOwnAreKilledToo()
    {
        Steered steered;
        ProcessRequest request = script(
            u"setsid sh -c 'trap \"\" TERM; echo $$ >> \"$PIDS\"; while :; do sleep 1000; done' & wait"_s);
        request.environment[u"PIDS"_s] = steered.pids;
        request.timeoutMs = 300;
        QCOMPARE(runProcess(request, steered.stop)->end, End::TimedOut);
        const int child = steered.waitForPids(1).front();
        QTRY_VERIFY(isGone(child));
    }

    void cancelEndsItWithinASecond_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("polite") << u"echo $$ > \"$PIDS\"; sleep 1000"_s;
        QTest::newRow("deaf to SIGTERM")
            << u"trap '' TERM; echo $$ > \"$PIDS\"; while :; do sleep 1000; done"_s;
    }
    void cancelEndsItWithinASecond()
    {
        QFETCH(QString, text);
        Steered steered;
        ProcessRequest request = script(text);
        request.environment[u"PIDS"_s] = steered.pids;
        request.timeoutMs = 0;
        auto running = std::async(std::launch::async, [&] { return runProcess(request, steered.stop); });
        const QList<int> pids = steered.waitForPids(1);
        QElapsedTimer timer;
        timer.start();
        steered.stop.requested = true;
        const auto outcome = running.get();
        QVERIFY2(timer.elapsed() < 1'000, qPrintable(QString::number(timer.elapsed())));
        QCOMPARE(outcome->end, End::Cancelled);
        QVERIFY(isGone(pids.front()));
    }

    void aCancelBeforeTheStartIsSeen()
    {
        Steered steered;
        steered.stop.requested = true;
        QCOMPARE(runProcess(script(u"sleep 1000"_s), steered.stop)->end, End::Cancelled);
    }

    void childrenThatKeepThePipesOpenAreNotWaitedFor()
    {
        Steered steered;
        ProcessRequest request = script(u"sleep 1000 & echo $! > \"$PIDS\"; echo done"_s);
        request.environment[u"PIDS"_s] = steered.pids;
        QElapsedTimer timer;
        timer.start();
        const auto outcome = runProcess(request, steered.stop);
        QVERIFY(timer.elapsed() < 5'000);
        QCOMPARE(outcome->end, End::Exited);
        QCOMPARE(outcome->output, "done\n");
        const int child = steered.waitForPids(1).front();
        QTRY_VERIFY(isGone(child));
    }

    void aForkBombIsContained()
    {
        Steered steered;
        ProcessRequest request =
            script(u"f() { echo $$ >> \"$PIDS\"; sleep 1000 & sleep 1000 & }; for i in 1 2 3 4 5 6 7 8 9 10; "
                   "do (f; (f; (f))) & done; wait; sleep 1000"_s);
        request.environment[u"PIDS"_s] = steered.pids;
        request.timeoutMs = 500;
        QCOMPARE(runProcess(request, steered.stop)->end, End::TimedOut);
        const int group = steered.waitForPids(1).front();
        QTRY_COMPARE(aliveInGroup(group), 0);
    }

    void argumentsAreLiteral()
    {
        const QStringList arguments{
            u"; touch pwn"_s,      u"$(id)"_s, u"`id`"_s, u"-rf"_s, u"--output=/etc/x"_s,
            u"line\nbreak"_s,      u"%n"_s,    u""_s,     u"*"_s,   u"ž \"quoted\" 'too'"_s,
            u"&& touch /tmp/pwn"_s};
        ProcessRequest request = script(u"printf '%s\\0' \"$@\"; ls -A"_s);
        request.arguments << u"sh"_s << arguments;
        const auto outcome = run(request);
        QCOMPARE(outcome->output, arguments.join(QChar(0)).toUtf8() + '\0');
    }

    void theEnvironmentIsClean()
    {
        qputenv("REDRIVE_SECRET", "leaked");
        ProcessRequest request;
        request.program = u"/usr/bin/env"_s;
        request.environment = {{u"JOB_ID"_s, u"a=b c"_s}};
        const auto outcome = run(request);
        qunsetenv("REDRIVE_SECRET");
        QList<QByteArray> names;
        for (const QByteArray& line : outcome->output.trimmed().split('\n'))
            names.append(line.first(line.indexOf('=')));
        std::sort(names.begin(), names.end());
        QCOMPARE(names, (QList<QByteArray>{"JOB_ID", "LANG", "PATH", "REDRIVE_WORK_FOLDER"}));
        QVERIFY(outcome->output.contains("JOB_ID=a=b c\n"));
        QVERIFY(outcome->output.contains("PATH=" + qgetenv("PATH") + '\n'));
    }

    void theWorkingFolderIsFreshPrivateAndRemoved()
    {
        const auto outcome = run(script(u"pwd; stat -c %a .; ls -A; mkdir -p a/b; echo x > a/b/c; "
                                        "ln -s /etc/passwd link; ln -s / root"_s));
        const QList<QByteArray> lines = outcome->output.trimmed().split('\n');
        QCOMPARE(lines.size(), 2);
        QCOMPARE(lines[1], "700");
        QVERIFY(lines[0] != QDir::currentPath().toLocal8Bit());
        QVERIFY(!QDir(QString::fromLocal8Bit(lines[0])).exists());
        QVERIFY(QFile::exists(u"/etc/passwd"_s));
    }

    void noDescriptorIsInherited()
    {
        const int leak = open("/dev/null", O_RDONLY); // without O_CLOEXEC
        const auto outcome = run(script(u"ls /proc/$$/fd"_s));
        close(leak);
        QCOMPARE(outcome->output, "0\n1\n2\n");
    }

    void itIsNotInOurGroupAndSignalsAreDefault()
    {
        sigset_t blocked;
        sigset_t before;
        sigemptyset(&blocked);
        sigaddset(&blocked, SIGTERM);
        pthread_sigmask(SIG_BLOCK, &blocked, &before);
        const auto handler = signal(SIGPIPE, SIG_IGN);
        const auto outcome =
            run(script(u"cut -d' ' -f5 /proc/$$/stat; echo $$; kill -TERM $$; echo survived"_s));
        const auto piped = run(script(u"kill -PIPE $$; echo survived"_s));
        signal(SIGPIPE, handler);
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
        const QList<QByteArray> lines = outcome->output.trimmed().split('\n');
        QCOMPARE(lines.size(), 2);
        QCOMPARE(lines[0], lines[1]);
        QCOMPARE(outcome->signal, SIGTERM);
        QCOMPARE(piped->signal, SIGPIPE);
    }

    void whatCannotBeStartedIsAnError_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("argument");
        QTest::addColumn<ErrorKind>("kind");
        QTest::newRow("missing") << u"/no/such/program"_s << u"a"_s << ErrorKind::NotFound;
        QTest::newRow("relative") << u"sh"_s << u"a"_s << ErrorKind::InvalidInput;
        QTest::newRow("empty") << QString() << u"a"_s << ErrorKind::InvalidInput;
        QTest::newRow("folder") << u"/etc"_s << u"a"_s << ErrorKind::Internal;
        QTest::newRow("not executable") << u"/etc/passwd"_s << u"a"_s << ErrorKind::Internal;
        QTest::newRow("NUL in an argument")
            << u"/bin/echo"_s << (u"a"_s + QChar(0)) << ErrorKind::InvalidInput;
    }
    void whatCannotBeStartedIsAnError()
    {
        QFETCH(QString, program);
        QFETCH(QString, argument);
        ProcessRequest request;
        request.program = program;
        request.arguments = {argument};
        const auto outcome = run(request);
        QVERIFY(!outcome);
        QTEST(outcome.error().kind, "kind");
        QVERIFY(!outcome.error().message.isEmpty());
    }

    void aTextFileIsNotGivenToAShell()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"script"_s);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("touch /tmp/pwn\n");
        file.close();
        file.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
        ProcessRequest request;
        request.program = path;
        QVERIFY(!run(request));
    }

    void manyAtOnceFromPlainThreads()
    {
        std::vector<std::future<QByteArray>> running;
        for (int i = 0; i < 16; ++i) {
            running.push_back(std::async(std::launch::async,
                                         [i] { return run(script(u"echo %1"_s.arg(i)))->output.trimmed(); }));
        }
        for (int i = 0; i < 16; ++i)
            QCOMPARE(running[size_t(i)].get(), QByteArray::number(i));
    }
};

QTEST_APPLESS_MAIN(ProcessRunnerTest)
#include "process_runner_test.moc"
