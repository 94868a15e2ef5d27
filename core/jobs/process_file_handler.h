// The job type process_file: payload {"path":…,"command"?:…}. The file must lie beneath one of
// redrive.process_file.roots. Without a command the result is its size, SHA-256 and MIME type; with one (a
// name of redrive.commands) the program gets the opened file as standard input and the path as its last
// argument, after "--". Worker threads.
#pragma once

#include "core/config/settings.h"
#include "core/jobs/handler.h"
#include "core/jobs/process_runner.h"

#include <QJsonObject>

namespace redrive {

class ProcessFileHandler final : public BlockingHandler
{
public:
    explicit ProcessFileHandler(const Settings& settings);

    HandlerOutcome run(const ClaimedJob& job, const StopSignal& stop) override;
    qint64 timeLimitMs() const override { return m_timeLimitMs; }
    int concurrencyLimit() const override { return m_concurrency; }

private:
    struct Program
    {
        QString path; // absolute; empty: not found
        QString problem;
        QStringList arguments;
    };

    HandlerOutcome describe(int file, const QString& path, const StopSignal& stop) const;
    HandlerOutcome runProgram(const ClaimedJob& job, const Program& program, int file, const QString& path,
                              const StopSignal& stop) const;

    QStringList m_roots;
    QMap<QString, Program> m_programs;
    qint64 m_timeLimitMs;
    int m_concurrency;
};

} // namespace redrive
