#include "core/jobs/command_handler.h"

#include "core/domain/reason.h"
#include "core/jobs/process_words.h"
#include "core/jobs/program_lookup.h"

namespace redrive {

namespace {

constexpr int kPermanentExit = 65; // EX_DATAERR of sysexits.h

HandlerOutcome failed(HandlerResult result, const QString& error, const QString& reasonCode = {})
{
    HandlerOutcome outcome;
    outcome.result = result;
    outcome.error = error;
    outcome.reason = reasonCode;
    return outcome;
}

} // namespace

CommandHandler::CommandHandler(const HandlerSettings& settings)
    : m_arguments(settings.command.mid(1)), m_timeoutMs(settings.timeoutMs.value_or(kDefaultTimeLimitMs)),
      m_concurrency(settings.concurrency.value_or(0))
{
    const Result<QString> found = lookUpProgram(settings.command.value(0));
    if (found)
        m_program = *found;
    else
        m_problem = found.error().text();
}

HandlerOutcome CommandHandler::run(const ClaimedJob& job, const StopSignal& stop)
{
    if (m_program.isEmpty())
        return failed(HandlerResult::Transient, m_problem);
    ProcessRequest request;
    request.program = m_program;
    request.arguments = m_arguments;
    request.input = job.payload;
    request.environment = jobEnvironment(job);
    request.timeoutMs = m_timeoutMs;
    return outcomeOf(runProcess(request, stop), m_timeoutMs);
}

QMap<QString, QString> jobEnvironment(const ClaimedJob& job)
{
    return {{u"REDRIVE_JOB_ID"_s, job.id},
            {u"REDRIVE_JOB_TYPE"_s, job.type},
            {u"REDRIVE_QUEUE"_s, job.queue},
            {u"REDRIVE_RUN"_s, QString::number(job.run)},
            {u"REDRIVE_ATTEMPT"_s, QString::number(job.attempt)}};
}

HandlerOutcome outcomeOf(const Result<ProcessOutcome>& ran, qint64 timeLimitMs)
{
    if (!ran)
        return failed(HandlerResult::Transient, ran.error().text());

    const QString words = endWords(*ran, timeLimitMs);
    switch (ran->end) {
    case ProcessOutcome::End::TimedOut:
        return failed(HandlerResult::TimedOut, words);
    case ProcessOutcome::End::Cancelled:
        return failed(HandlerResult::Cancelled, words);
    case ProcessOutcome::End::Signalled:
        return failed(HandlerResult::Transient, words);
    case ProcessOutcome::End::Exited:
        break;
    }
    if (ran->exitCode == kPermanentExit)
        return failed(HandlerResult::Permanent, words, reason::kPermanent);
    if (ran->exitCode != 0)
        return failed(HandlerResult::Transient, words);
    HandlerOutcome done;
    done.content = ran->output;
    return done;
}

} // namespace redrive
