// How the consumer begins the entries of a batch and gives back what it could not begin.
#include "core/base/log.h"
#include "core/queue/consumer.h"
#include "core/store/lone_change.h"

#include <algorithm>

namespace redrive {

namespace {

constexpr qint64 kRefusedPauseMs = 60'000;

} // namespace

Status Consumer::handlePlain(Cycle& cycle, const ConsumerSettings& queue,
                             const QList<WaitingMessage>& messages)
{
    if (!m_careful)
        return m_runner.handleMessages(cycle, queue, messages);
    const Status handled =
        changeAlone(cycle, [&] { return m_runner.handleMessages(cycle, queue, messages); });
    if (handled || concernsTheStore(handled.error()))
        return handled;
    for (const WaitingMessage& message : messages)
        REDRIVE_TRY(putOff(cycle, message, handled.error()));
    return {};
}

Result<Begin> Consumer::begin(Cycle& cycle, const ConsumerSettings& queue, const WaitingMessage& message,
                              qint64 claimNo, bool together)
{
    const auto beginIt = [&] { return m_runner.beginJob(cycle, queue, message, claimNo, !together); };
    if (together || !m_careful)
        return beginIt();
    auto begun = changeAlone(cycle, beginIt);
    if (begun || concernsTheStore(begun.error()))
        return begun;
    REDRIVE_TRY(putOff(cycle, message, begun.error()));
    return Begin::Settled;
}

Status Consumer::putOff(Cycle& cycle, const WaitingMessage& message, const Error& error)
{
    logEvent(LogLevel::Error, "message_put_off", {{"message", message.id}, {"error", error.text()}});
    REDRIVE_TRY(message_store::retryUnclaimed(cycle, message.seq, cycle.nowMs + kRefusedPauseMs,
                                              message.attempts, error.text()));
    return {};
}

Status Consumer::openBatch(Cycle& cycle, const ConsumerSettings& queue, const QList<WaitingMessage>& messages)
{
    QList<WaitingMessage> plain;
    Batch batch;
    batch.queue = queue.queue;
    batch.alone = messages.size() == 1 && messages.first().crashes >= kCrashesBeforeAlone;
    for (const WaitingMessage& message : messages) {
        if (message.isJob)
            batch.unstarted.push_back(message);
        else
            plain.append(message);
    }
    if (!plain.isEmpty() && m_runner.handlesInTurn(queue.queue))
        REDRIVE_TRY(handlePlain(cycle, queue, plain));
    else
        batch.plain = plain;
    if (batch.unstarted.empty() && batch.plain.isEmpty())
        return {};
    const quint64 batchNo = m_nextBatch++;
    m_state.batches.insert(batchNo, std::move(batch));
    ++m_state.lines[queue.queue].batches;
    REDRIVE_TRY(beginBatch(cycle, batchNo));
    const auto open = m_state.batches.find(batchNo);
    if (open == m_state.batches.end())
        return {};
    for (WaitingMessage& message : open->unstarted) {
        REDRIVE_TRY(message_store::lease(cycle, message.seq));
        message.leasedBefore = true;
    }
    for (const WaitingMessage& message : open->plain)
        REDRIVE_TRY(message_store::lease(cycle, message.seq));
    return {};
}

Status Consumer::beginMore(Cycle& cycle)
{
    const QList<quint64> open = m_state.batches.keys();
    for (const quint64 batchNo : open) {
        if (m_rows.value(m_state.batches[batchNo].queue).pausedAtMs)
            REDRIVE_TRY(releaseBatch(cycle, batchNo));
        else if (m_runner.hasCapacity())
            REDRIVE_TRY(beginEntries(cycle, batchNo, false));
    }
    return {};
}

bool Consumer::mayBegin(const Batch& batch) const
{
    if (batch.alone)
        return m_runner.running() == 0;
    return std::none_of(m_state.batches.cbegin(), m_state.batches.cend(),
                        [&](const Batch& other) { return other.alone; });
}

// Jobs that are done inside the turn share one way back: what one of them was refused undoes all, and they
// are done again, each with its own.
Status Consumer::beginBatch(Cycle& cycle, quint64 batchNo)
{
    const std::deque<WaitingMessage>& entries = m_state.batches[batchNo].unstarted;
    const bool together = !m_careful && entries.size() > 1 &&
                          std::all_of(entries.cbegin(), entries.cend(), [&](const WaitingMessage& message) {
                              return m_runner.runsInTurn(message);
                          });
    if (!together)
        return beginEntries(cycle, batchNo, false);
    const State before = m_state;
    const Status begun = changeAlone(cycle, [&] { return beginEntries(cycle, batchNo, true); });
    if (begun || concernsTheStore(begun.error()))
        return begun;
    m_state = before;
    return beginEntries(cycle, batchNo, false);
}

Status Consumer::beginEntries(Cycle& cycle, quint64 batchNo, bool together)
{
    const auto config = std::find_if(m_queues.cbegin(), m_queues.cend(), [&](const ConsumerSettings& queue) {
        return queue.queue == m_state.batches[batchNo].queue;
    });
    if (config == m_queues.cend() || !mayBegin(m_state.batches[batchNo]))
        return {};
    REDRIVE_TRY(beginPlain(cycle, *config, batchNo));
    std::deque<WaitingMessage> waiting;
    std::deque<WaitingMessage> unstarted = std::move(m_state.batches[batchNo].unstarted);
    for (WaitingMessage& message : unstarted) {
        if (!m_runner.hasCapacity()) {
            waiting.push_back(std::move(message));
            continue;
        }
        const qint64 claimNo = m_nextClaim++;
        REDRIVE_ASSIGN(begun, begin(cycle, *config, message, claimNo, together));
        if (begun == Begin::Running) {
            ++m_state.batches[batchNo].running;
            m_state.batchOfClaim.insert(claimNo, batchNo);
        } else if (begun == Begin::Wait) {
            waiting.push_back(std::move(message));
        }
    }
    m_state.batches[batchNo].unstarted = std::move(waiting);
    endIfSettled(batchNo);
    return {};
}

Status Consumer::beginPlain(Cycle& cycle, const ConsumerSettings& queue, quint64 batchNo)
{
    const QList<WaitingMessage> plain = m_state.batches[batchNo].plain;
    if (plain.isEmpty() || !m_runner.hasCapacity())
        return {};
    const qint64 claimNo = m_nextClaim++;
    const auto beginNow = [&] { return m_runner.beginMessages(cycle, queue, plain, claimNo); };
    auto begun = m_careful ? changeAlone(cycle, beginNow) : beginNow();
    if (!begun && (!m_careful || concernsTheStore(begun.error())))
        return fail(begun.error());
    if (!begun)
        for (const WaitingMessage& message : plain)
            REDRIVE_TRY(putOff(cycle, message, begun.error()));
    else if (*begun == Begin::Wait)
        return {};
    m_state.batches[batchNo].plain.clear();
    if (begun && *begun == Begin::Running) {
        ++m_state.batches[batchNo].running;
        m_state.batchOfClaim.insert(claimNo, batchNo);
    }
    return {};
}

void Consumer::endIfSettled(quint64 batchNo)
{
    const auto batch = m_state.batches.find(batchNo);
    if (batch->running > 0 || !batch->unstarted.empty() || !batch->plain.isEmpty())
        return;
    --m_state.lines[batch->queue].batches;
    adjust(batch->queue, ConcurrencyEvent::BatchDone);
    if (!m_state.full.contains(batch->queue)) // nothing waited when it was looked at
        adjust(batch->queue, ConcurrencyEvent::NothingDue);
    m_state.batches.erase(batch);
}

Status Consumer::releaseUnstarted(Cycle& cycle)
{
    const QList<quint64> open = m_state.batches.keys();
    for (const quint64 batchNo : open)
        REDRIVE_TRY(releaseBatch(cycle, batchNo));
    return {};
}

Status Consumer::releaseBatch(Cycle& cycle, quint64 batchNo)
{
    for (const WaitingMessage& message : m_state.batches[batchNo].unstarted)
        REDRIVE_TRY(message_store::releaseLease(cycle, message.seq));
    for (const WaitingMessage& message : m_state.batches[batchNo].plain)
        REDRIVE_TRY(message_store::releaseLease(cycle, message.seq));
    m_state.batches[batchNo].unstarted.clear();
    m_state.batches[batchNo].plain.clear();
    endIfSettled(batchNo);
    return {};
}

} // namespace redrive
