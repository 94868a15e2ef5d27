#include "core/jobs/plain_settler.h"

#include "core/domain/attempts.h"
#include "core/domain/reason.h"
#include "core/store/letter_store.h"
#include "core/store/redrive_ledger_store.h"

namespace redrive {

namespace {

Result<bool> remove(Cycle& cycle, qint64 seq, std::optional<qint64> claimNo)
{
    return claimNo ? message_store::remove(cycle, seq, *claimNo) : message_store::removeUnclaimed(cycle, seq);
}

// A redrive may have begun it.
bool mayBeRedriven(const WaitingMessage& message)
{
    return message.urgent || message.attempts > 0;
}

} // namespace

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
        REDRIVE_ASSIGN(removed, remove(cycle, messages[i].seq, claimNo));
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
    if (attempt - message.crashes > ended.queue.maxRetries)
        return bury(cycle, ended, attempt);
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

Status PlainSettler::bury(Cycle& cycle, const Ended& ended, int attempt)
{
    const WaitingMessage& message = ended.message;
    const QString& deadLetterQueue = ended.queue.deadLetterQueue;
    const bool dropped = deadLetterQueue.isEmpty();
    Result<bool> ours = true;
    if (dropped)
        ours = remove(cycle, message.seq, ended.claimNo);
    else if (ended.claimNo)
        ours = message_store::moveTo(cycle, message.seq, *ended.claimNo, deadLetterQueue, ended.error);
    else
        ours = message_store::moveUnclaimed(cycle, message.seq, deadLetterQueue, ended.error);
    REDRIVE_TRY(ours);
    if (!*ours)
        return {};
    Counters& counters = m_counters;
    cycle.afterCommit.push_back([&counters, dropped, name = ended.queue.queue] {
        ++counters.failed;
        ++counters.dead;
        counters.queues.add(name, &QueueTotals::failed);
        counters.queues.add(name, &QueueTotals::dead);
        if (dropped)
            ++counters.dropped;
    });
    if (dropped)
        return {};
    NewLetter letter;
    letter.kind = LetterKind::Message;
    letter.subjectId = message.id;
    letter.sourceQueue = ended.queue.queue;
    letter.deadLetterQueue = deadLetterQueue;
    letter.attempts = attempt;
    letter.maxAttempts = attemptsGranted(ended.queue.maxRetries + 1, message.crashes);
    letter.reason = reason::kRetriesUsedUp;
    letter.error = ended.error;
    letter.contentType = message.contentType;
    letter.body = message.body;
    letter.sentAtMs = message.sentAtMs;
    REDRIVE_TRY(letter_store::insert(cycle, letter));
    return {};
}

} // namespace redrive
