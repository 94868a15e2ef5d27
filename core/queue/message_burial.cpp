#include "core/queue/message_burial.h"

#include "core/domain/attempts.h"
#include "core/store/letter_store.h"

namespace redrive {

namespace {

Result<bool> takeOut(Cycle& cycle, const DeadMessage& dead)
{
    const qint64 seq = dead.message.seq;
    const QString& to = dead.queue.deadLetterQueue;
    if (to.isEmpty())
        return removeMessage(cycle, seq, dead.claimNo);
    return dead.claimNo ? message_store::moveTo(cycle, seq, *dead.claimNo, to, dead.error)
                        : message_store::moveUnclaimed(cycle, seq, to, dead.error);
}

void count(Cycle& cycle, const ConsumerSettings& queue, Counters& counters)
{
    const bool dropped = queue.deadLetterQueue.isEmpty();
    cycle.afterCommit.push_back([&counters, dropped, name = queue.queue] {
        ++counters.failed;
        ++counters.dead;
        counters.queues.add(name, &QueueTotals::failed);
        counters.queues.add(name, &QueueTotals::dead);
        if (dropped)
            ++counters.dropped;
    });
}

NewLetter letterOf(const DeadMessage& dead)
{
    const WaitingMessage& message = dead.message;
    NewLetter letter;
    letter.kind = LetterKind::Message;
    letter.subjectId = message.id;
    letter.sourceQueue = dead.queue.queue;
    letter.deadLetterQueue = dead.queue.deadLetterQueue;
    letter.attempts = dead.attempts;
    letter.maxAttempts = attemptsGranted(dead.queue.maxRetries + 1, message.crashes);
    letter.reason = dead.reason;
    letter.error = dead.error;
    letter.contentType = message.contentType;
    letter.body = message.body;
    letter.sentAtMs = message.sentAtMs;
    return letter;
}

} // namespace

Result<bool> removeMessage(Cycle& cycle, qint64 seq, std::optional<qint64> claimNo)
{
    return claimNo ? message_store::remove(cycle, seq, *claimNo) : message_store::removeUnclaimed(cycle, seq);
}

bool mayBeRedriven(const WaitingMessage& message)
{
    return message.urgent || message.attempts > 0;
}

Result<bool> buryMessage(Cycle& cycle, const DeadMessage& dead, Counters& counters)
{
    REDRIVE_ASSIGN(ours, takeOut(cycle, dead));
    if (!ours)
        return false;
    count(cycle, dead.queue, counters);
    if (!dead.queue.deadLetterQueue.isEmpty())
        REDRIVE_TRY(letter_store::insert(cycle, letterOf(dead)));
    return true;
}

} // namespace redrive
