#include "core/jobs/plain_settler.h"

#include "core/domain/reason.h"
#include "core/queue/message_burial.h"
#include "core/store/redrive_ledger_store.h"

namespace redrive {

Status PlainSettler::settle(Cycle& cycle, const ConsumerSettings& queue,
                            const QList<WaitingMessage>& messages, const std::vector<Decision>& decisions,
                            HandlerEnd end, std::optional<qint64> claimNo, const QString& error)
{
    quint64 acked = 0;
    for (qsizetype i = 0; i < messages.size(); ++i) {
        if (!decisions[size_t(i)].ack) {
            REDRIVE_TRY(retryOrBury(cycle, {queue, messages[i], end, claimNo, error}, decisions[size_t(i)]));
            continue;
        }
        REDRIVE_ASSIGN(removed, removeMessage(cycle, messages[i].seq, claimNo));
        acked += removed ? 1 : 0;
        if (removed && mayBeRedriven(messages[i]))
            REDRIVE_TRY(redrive_ledger_store::noteSuccess(cycle, messages[i].id));
    }
    Counters& counters = m_counters;
    cycle.afterCommit.push_back(
        [&counters, name = queue.queue, acked] { counters.queues.add(name, &QueueTotals::done, acked); });
    cycle.changes.queues = true;
    return {};
}

Status PlainSettler::retryOrBury(Cycle& cycle, const Ended& ended, const Decision& decision)
{
    const WaitingMessage& message = ended.message;
    const int attempt = message.attempts + 1;
    if (mayBeRedriven(message))
        REDRIVE_TRY(redrive_ledger_store::noteFailure(cycle, message.id, ended.error));
    if (attempt - message.crashes > ended.queue.maxRetries) {
        REDRIVE_TRY(buryMessage(
            cycle, {ended.queue, message, ended.claimNo, attempt, reason::kRetriesUsedUp, ended.error},
            m_counters));
        return {};
    }
    const qint64 dueAt = cycle.nowMs + decision.delayMs.value_or(ended.queue.retryDelayMs.value_or(0));
    const auto waits = ended.claimNo
                           ? message_store::retryAt(cycle, message.seq, *ended.claimNo, dueAt, ended.error)
                           : message_store::retryUnclaimed(cycle, message.seq, dueAt, attempt, ended.error);
    REDRIVE_TRY(waits);
    cycle.queuesToLook.insert(ended.queue.queue);
    if (ended.end == HandlerEnd::Returned)
        return {};
    Counters& counters = m_counters;
    cycle.afterCommit.push_back([&counters, name = ended.queue.queue] {
        ++counters.failed;
        counters.queues.add(name, &QueueTotals::failed);
    });
    return {};
}

} // namespace redrive
