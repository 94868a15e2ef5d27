// Runs one program to its end: no shell, a session and process group of its own, an environment and a working
// folder of its own. Blocks; any thread, several at a time, needs no Qt event loop. Times are real time.
#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QMap>
#include <QStringList>

namespace redrive {

struct StopSignal;

struct ProcessRequest
{
    QString program;       // absolute, see lookUpProgram()
    QStringList arguments; // each one argument, whatever it holds
    QByteArray input;      // its standard input
    int inputFile = -1;    // an open file instead; stays the caller's
    QMap<QString, QString>
        environment; // beside PATH and LANG, which are the engine's, and the working folder's; nothing else
    qint64 timeoutMs = 30'000; // 0: none
};

struct ProcessOutcome
{
    enum class End {
        Exited,    // exitCode
        Signalled, // signal
        TimedOut,
        Cancelled,
    };

    End end = End::Exited;
    int exitCode = 0;
    int signal = 0;
    QByteArray output; // the first 64 KiB; what comes after is read and dropped
    QByteArray errors; // the same of standard error
    bool outputCut = false;
    bool errorsCut = false;
    qint64 durationMs = 0;
};

// At the time limit and on request the whole group gets SIGTERM and half a second later SIGKILL. Whatever of
// the group is left when the program itself has ended is killed too, and nobody waits longer than 200 ms for
// pipes that others hold open. Children that left the group outlive a program that ended by itself; one that
// was stopped takes them along. An error means that the program did not run.
Result<ProcessOutcome> runProcess(const ProcessRequest& request, const StopSignal& stop);

} // namespace redrive
