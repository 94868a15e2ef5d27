#include "core/jobs/outside_batch_handler.h"

#include "core/base/log.h"
#include "core/jobs/batch_text.h"
#include "core/jobs/process_words.h"
#include "core/jobs/program_lookup.h"
#include "core/jobs/url_exchange.h"

namespace redrive {

namespace {

BatchOutcome threw(HandlerResult result, const QString& error)
{
    BatchOutcome outcome;
    outcome.result = result;
    outcome.error = error;
    return outcome;
}

BatchOutcome answered(const QByteArray& answer, bool cut, const MessageBatch& batch)
{
    if (cut)
        return threw(HandlerResult::Transient, u"the answer to the batch is longer than 64 KiB"_s);
    int unknown = 0;
    auto decisions = batchDecisions(answer, batch, &unknown);
    if (!decisions)
        return threw(HandlerResult::Transient, decisions.error().text());
    if (unknown > 0)
        logEvent(LogLevel::Warning, "unknown_ids_answered",
                 {{"queue", batch.queue}, {"ids", QString::number(unknown)}});
    BatchOutcome outcome;
    outcome.decisions = std::move(*decisions);
    return outcome;
}

} // namespace

CommandBatchHandler::CommandBatchHandler(const HandlerSettings& settings)
    : m_arguments(settings.command.mid(1)), m_timeLimitMs(settings.timeoutMs.value_or(kDefaultTimeLimitMs)),
      m_concurrency(settings.concurrency.value_or(0))
{
    const Result<QString> found = lookUpProgram(settings.command.value(0));
    if (found)
        m_program = *found;
    else
        m_problem = found.error().text();
}

BatchOutcome CommandBatchHandler::run(const MessageBatch& batch, const StopSignal& stop)
{
    if (m_program.isEmpty())
        return threw(HandlerResult::Transient, m_problem);
    ProcessRequest request;
    request.program = m_program;
    request.arguments = m_arguments;
    request.input = batchRequest(batch);
    request.environment = {{u"REDRIVE_QUEUE"_s, batch.queue}};
    request.timeoutMs = m_timeLimitMs;
    const Result<ProcessOutcome> ran = runProcess(request, stop);
    if (!ran)
        return threw(HandlerResult::Transient, ran.error().text());
    if (ran->end == ProcessOutcome::End::Cancelled)
        return threw(HandlerResult::Cancelled, u"stopped"_s);
    if (ran->end == ProcessOutcome::End::Exited && ran->exitCode == 0)
        return answered(ran->output, ran->outputCut, batch);
    return threw(ran->end == ProcessOutcome::End::TimedOut ? HandlerResult::TimedOut
                                                           : HandlerResult::Transient,
                 endWords(*ran, m_timeLimitMs));
}

UrlBatchHandler::UrlBatchHandler(const HandlerSettings& settings, BlockingPost post)
    : m_url(settings.url), m_timeLimitMs(settings.timeoutMs.value_or(kDefaultTimeLimitMs)),
      m_concurrency(settings.concurrency.value_or(0)), m_post(std::move(post))
{
}

BatchOutcome UrlBatchHandler::run(const MessageBatch& batch, const StopSignal& stop)
{
    const HttpOutcome exchange = m_post(urlRequest(m_url, batchRequest(batch), m_timeLimitMs), stop);
    const HandlerOutcome outcome = urlOutcome(exchange, m_timeLimitMs, 0);
    if (outcome.result == HandlerResult::Done)
        return answered(outcome.content, exchange.responseCut, batch);
    return threw(outcome.result, outcome.error);
}

} // namespace redrive
