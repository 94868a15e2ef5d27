#include "core/jobs/plain_settler.h"

#include "core/domain/reason.h"
#include "core/store/letter_store.h"

namespace redrive {

Status PlainSettler::settle(Cycle& cycle, const ConsumerSettings& queue,
                            const QList<WaitingMessage>& messages, const std::vector<Decision>& decisions)
{
    quint64 acked = 0;
    for (qsizetype i = 0; i < messages.size(); ++i) {
        if (!decisions[size_t(i)].ack) {
            REDRIVE_TRY(retryOrBury(cycle, queue, messages[i], decisions[size_t(i)]));
            continue;
        }
        REDRIVE_TRY(message_store::removeUnclaimed(cycle, messages[i].seq));
        ++acked;
    }
    Counters& counters = m_counters;
    cycle.afterCommit.push_back(
        [&counters, name = queue.queue, acked] { counters.queues.add(name, &QueueTotals::done, acked); });
    cycle.changes.queues = true;
    return {};
}

Status PlainSettler::retryOrBury(Cycle& cycle, const ConsumerSettings& queue, const WaitingMessage& message,
                                 const Decision& decision)
{
    const int attempt = message.attempts + 1;
    if (attempt - message.crashes > queue.maxRetries)
        return bury(cycle, queue, message, attempt);
    const qint64 delay = decision.delayMs.value_or(queue.retryDelayMs.value_or(0));
    REDRIVE_TRY(message_store::retryUnclaimed(cycle, message.seq, cycle.nowMs + delay, attempt, {}));
    cycle.queuesToLook.insert(queue.queue);
    Counters& counters = m_counters;
    cycle.afterCommit.push_back([&counters, name = queue.queue] {
        ++counters.failed;
        counters.queues.add(name, &QueueTotals::failed);
    });
    return {};
}

Status PlainSettler::bury(Cycle& cycle, const ConsumerSettings& queue, const WaitingMessage& message,
                          int attempt)
{
    Counters& counters = m_counters;
    const bool dropped = queue.deadLetterQueue.isEmpty();
    cycle.afterCommit.push_back([&counters, dropped, name = queue.queue] {
        ++counters.failed;
        ++counters.dead;
        counters.queues.add(name, &QueueTotals::failed);
        counters.queues.add(name, &QueueTotals::dead);
        if (dropped)
            ++counters.dropped;
    });
    if (dropped) {
        REDRIVE_TRY(message_store::removeUnclaimed(cycle, message.seq));
        return {};
    }
    NewLetter letter;
    letter.kind = LetterKind::Message;
    letter.subjectId = message.id;
    letter.sourceQueue = queue.queue;
    letter.deadLetterQueue = queue.deadLetterQueue;
    letter.attempts = attempt;
    letter.maxAttempts = queue.maxRetries + 1;
    letter.reason = reason::kRetriesUsedUp;
    letter.contentType = message.contentType;
    letter.body = message.body;
    letter.sentAtMs = message.sentAtMs;
    REDRIVE_TRY(letter_store::insert(cycle, letter));
    REDRIVE_TRY(message_store::moveUnclaimed(cycle, message.seq, queue.deadLetterQueue, {}));
    return {};
}

} // namespace redrive
