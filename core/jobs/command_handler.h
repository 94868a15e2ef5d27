// The job type of a command in the configuration: the payload goes to its standard input, exit 0 is success,
// 65 a permanent failure, everything else, signals and the time limit included, a transient one. Worker
// threads.
#pragma once

#include "core/config/settings.h"
#include "core/jobs/handler.h"
#include "core/jobs/process_runner.h"

namespace redrive {

class CommandHandler final : public BlockingHandler
{
public:
    explicit CommandHandler(const HandlerSettings& settings);

    HandlerOutcome run(const ClaimedJob& job, const StopSignal& stop) override;
    qint64 timeLimitMs() const override { return m_timeoutMs; }
    int concurrencyLimit() const override { return m_concurrency; }
    // The program's absolute path, or why it cannot be used.
    QString program() const { return m_program; }

private:
    QString m_program; // absolute; empty: not found
    QString m_problem;
    QStringList m_arguments;
    qint64 m_timeoutMs;
    int m_concurrency;
};

// What a program is told of the job it runs for.
QMap<QString, QString> jobEnvironment(const ClaimedJob& job);
// What a program's end means for its job.
HandlerOutcome outcomeOf(const Result<ProcessOutcome>& ran, qint64 timeLimitMs);

} // namespace redrive
