// How messages that are no jobs run: inside the turn, or a batch at a time on a worker.
#include "core/db/savepoint.h"
#include "core/jobs/job_runner.h"
#include "core/queue/consumer.h"

namespace redrive {

void JobRunner::setBatchHandler(const QString& queue, std::shared_ptr<BatchHandler> handler)
{
    m_batchHandlers.insert(queue, std::move(handler));
}

void JobRunner::setTurnWriter(const QString& queue, std::shared_ptr<TurnWriter> writer)
{
    m_turnWriters.insert(queue, std::move(writer));
}

bool JobRunner::handlesMessages(const QString& queue) const
{
    return handlesInTurn(queue) || m_batchHandlers.contains(queue);
}

std::optional<qint64> JobRunner::waitsUntil(const QString& queue) const
{
    const auto writer = m_turnWriters.value(queue);
    return writer ? writer->waitsUntil() : std::nullopt;
}

void JobRunner::nothingWaits(Cycle& cycle, const QString& queue)
{
    if (const auto writer = m_turnWriters.value(queue))
        writer->nothingWaits(cycle);
}

Status JobRunner::handleMessages(Cycle& cycle, const ConsumerSettings& queue,
                                 const QList<WaitingMessage>& messages)
{
    if (const auto writer = m_turnWriters.value(queue.queue))
        return writer->write(cycle, queue, messages);
    Settlement settlement(int(messages.size()));
    HandlerEnd end = HandlerEnd::Failed;
    {
        REDRIVE_ASSIGN(savepoint, Savepoint::begin(cycle.db));
        end = m_plainHandlers.value(queue.queue)->handle(cycle, queue.queue, messages, settlement);
        if (end == HandlerEnd::Returned)
            REDRIVE_TRY(savepoint.release());
    }
    if (m_consumer)
        m_consumer->batchEnded(queue.queue, end == HandlerEnd::Failed);
    return m_plainSettler.settle(cycle, queue, messages, settlement.decisions(end), end);
}

Result<Begin> JobRunner::beginMessages(Cycle& cycle, const ConsumerSettings& queue,
                                       const QList<WaitingMessage>& messages, qint64 claimNo)
{
    const auto handler = m_batchHandlers.value(queue.queue);
    const QString kind = u"queue "_s + queue.queue;
    if (!mayRun(kind, handler->concurrencyLimit()))
        return Begin::Wait;
    Running running;
    running.queue = queue;
    running.kind = kind;
    running.timeLimitMs = handler->timeLimitMs();
    for (const WaitingMessage& message : messages) {
        REDRIVE_ASSIGN(claimed, message_store::claim(cycle, message.seq, message.attempts, claimNo));
        if (claimed)
            running.messages.append(message);
    }
    if (running.messages.isEmpty())
        return Begin::Settled; // another engine has them, or had them
    const MessageBatch batch{queue.queue, running.messages};
    run(cycle, claimNo, std::move(running), [handler, batch](const StopSignal& stop) {
        HandlerReport report;
        if (stop.requested)
            report.batch.result = HandlerResult::Cancelled;
        else
            report.batch = handler->run(batch, stop);
        return report;
    });
    return Begin::Running;
}

Result<bool> JobRunner::settleBatch(Cycle& cycle, const Running& running, const HandlerReport& report)
{
    const BatchOutcome& outcome = report.batch;
    if (outcome.result == HandlerResult::Cancelled && !running.outOfTime) {
        bool ours = false;
        for (const WaitingMessage& message : running.messages) {
            REDRIVE_ASSIGN(released, message_store::releaseClaim(cycle, message.seq, report.claimNo));
            ours |= released;
        }
        cycle.queuesToLook.insert(running.queue.queue);
        return ours;
    }
    const bool returned = outcome.result == HandlerResult::Done;
    if (m_consumer && !returned)
        m_consumer->batchEnded(running.queue.queue, true);
    const HandlerEnd end = returned ? HandlerEnd::Returned : HandlerEnd::Failed;
    const auto decisions =
        returned ? outcome.decisions : Settlement(int(running.messages.size())).decisions(end);
    REDRIVE_TRY(m_plainSettler.settle(cycle, running.queue, running.messages, decisions, end, report.claimNo,
                                      outcome.error));
    return true;
}

} // namespace redrive
