#include "core/queue/consumer.h"

#include "core/queue/batch_timing.h"
#include "core/store/lone_change.h"

namespace redrive {

namespace {

constexpr int kMostPerTurn = 500; // messages of one queue: other work has its turn between them

// By their bytes, however few they are.
bool isFull(const QList<WaitingMessage>& messages)
{
    qint64 bytes = 0;
    for (const WaitingMessage& message : messages)
        bytes += message.body.size();
    return bytes >= message_store::kMostBytesRead;
}

} // namespace

Consumer::Consumer(QList<ConsumerSettings> queues, int workers, MessageRunner& runner,
                   QueueCounters* counters)
    : m_queues(std::move(queues)), m_workers(workers), m_runner(runner), m_counters(counters)
{
    m_queues.removeIf([](const ConsumerSettings& queue) { return queue.type != ConsumerType::Worker; });
}

void Consumer::finished(qint64 claimNo)
{
    const quint64 batchNo = m_state.batchOfClaim.take(claimNo);
    const auto batch = m_state.batches.find(batchNo);
    if (batch == m_state.batches.end())
        return;
    --batch->running;
    endIfSettled(batchNo);
}

int Consumer::openBatches() const
{
    return int(m_state.batches.size());
}

bool Consumer::hasWork(qint64, qint64 steadyMs) const
{
    if (!m_taking)
        return false;
    if (m_lookAtAll || !m_state.again.isEmpty())
        return true;
    const std::optional<qint64> deadline = nextDeadline();
    return deadline && *deadline <= steadyMs;
}

std::optional<qint64> Consumer::nextDeadline() const
{
    std::optional<qint64> next;
    if (!m_taking)
        return next;
    for (const Line& line : m_state.lines)
        if (line.lookAgainAtSteadyMs && (!next || *line.lookAgainAtSteadyMs < *next))
            next = line.lookAgainAtSteadyMs;
    return next;
}

Status Consumer::apply(Cycle& cycle)
{
    if (!m_taking)
        return {};
    if (m_lookAtAll || cycle.changes.queues) {
        REDRIVE_ASSIGN(rows, queue_store::all(cycle.db));
        m_rows = std::move(rows);
    }
    REDRIVE_TRY(beginMore(cycle));
    const QSet<QString> toLook = std::exchange(cycle.queuesToLook, {}) + std::exchange(m_state.again, {});
    for (const ConsumerSettings& queue : m_queues) {
        const Line line = m_state.lines.value(queue.queue);
        const bool timeToLook = line.lookAgainAtSteadyMs && *line.lookAgainAtSteadyMs <= cycle.steadyMs;
        const bool waits = cycle.changes.queues && m_runner.waitsUntil(queue.queue);
        if (m_lookAtAll || timeToLook || waits || toLook.contains(queue.queue) ||
            m_state.full.contains(queue.queue))
            REDRIVE_TRY(takeBatches(cycle, queue));
    }
    m_state.again = cycle.queuesToLook;
    m_lookAtAll = false;
    tellBatches(cycle);
    if (m_careful)
        cycle.afterCommit.push_back([this] { m_careful = false; });
    return {};
}

void Consumer::rolledBack(const Error& error)
{
    m_careful = m_careful || !concernsTheStore(error);
    m_state = m_saved;
    m_lookAtAll = true;
}

int Consumer::batchLimit(const ConsumerSettings& queue) const
{
    if (m_runner.handlesInTurn(queue.queue))
        return 1; // turns follow one another
    return queue.maxConcurrency.value_or(m_state.lines.value(queue.queue).concurrency.limit);
}

bool Consumer::mayTakeAnother(const ConsumerSettings& queue, Line& line)
{
    if (queue.maxConcurrency)
        return line.batches < *queue.maxConcurrency;
    if (line.batches >= line.concurrency.limit)
        line.concurrency = afterEvent(line.concurrency, ConcurrencyEvent::WorkWaits, line.batches, m_workers);
    return line.batches < line.concurrency.limit;
}

void Consumer::adjust(const QString& queue, ConcurrencyEvent event)
{
    Line& line = m_state.lines[queue];
    line.concurrency = afterEvent(line.concurrency, event, line.batches, m_workers);
}

void Consumer::batchEnded(const QString& queue, bool failed)
{
    adjust(queue, failed ? ConcurrencyEvent::BatchFailed : ConcurrencyEvent::BatchDone);
}

void Consumer::tellBatches(Cycle& cycle)
{
    if (!m_counters)
        return;
    for (const ConsumerSettings& queue : m_queues) {
        const std::pair<int, int> now{m_state.lines.value(queue.queue).batches, batchLimit(queue)};
        if (m_told.value(queue.queue) == now)
            continue;
        cycle.afterCommit.push_back([this, name = queue.queue, now] {
            m_told.insert(name, now);
            m_counters->setBatches(name, now.first, now.second);
        });
    }
}

// What it waits with may be gone, by a purge or by its age.
Status Consumer::endWaitForNothing(Cycle& cycle, const QString& queue)
{
    if (!m_runner.waitsUntil(queue))
        return {};
    REDRIVE_ASSIGN(first, message_store::nextVisibleAt(cycle.db, queue, -1));
    if (!first)
        m_runner.nothingWaits(cycle, queue);
    return {};
}

Status Consumer::takeBatches(Cycle& cycle, const ConsumerSettings& queue)
{
    m_state.full.remove(queue.queue);
    REDRIVE_TRY(endWaitForNothing(cycle, queue.queue));
    if (m_rows.value(queue.queue).pausedAtMs) {
        m_state.lines[queue.queue].lookAgainAtSteadyMs.reset();
        return {};
    }
    for (int taken = 0; taken < kMostPerTurn;) {
        Line& line = m_state.lines[queue.queue];
        if (const auto until = m_runner.waitsUntil(queue.queue); until && *until > cycle.steadyMs) {
            line.lookAgainAtSteadyMs = until;
            return {};
        }
        if (!m_runner.hasCapacity() || !mayTakeAnother(queue, line)) {
            m_state.full.insert(queue.queue);
            line.lookAgainAtSteadyMs.reset();
            return {};
        }
        REDRIVE_ASSIGN(size, takeBatch(cycle, queue));
        if (size == 0) {
            adjust(queue.queue, ConcurrencyEvent::NothingDue);
            return {};
        }
        taken += size;
    }
    cycle.queuesToLook.insert(queue.queue); // the next turn goes on
    return {};
}

Result<int> Consumer::takeBatch(Cycle& cycle, const ConsumerSettings& queue)
{
    const bool jobsOnly = !m_runner.handlesMessages(queue.queue);
    REDRIVE_ASSIGN(messages,
                   message_store::waiting(cycle.db, queue.queue, cycle.nowMs, queue.maxBatchSize, jobsOnly));
    WaitingLine waiting;
    waiting.count = isFull(messages) ? queue.maxBatchSize : int(messages.size());
    if (!messages.isEmpty())
        waiting.firstVisibleAtMs = messages.first().visibleAtMs;
    for (const WaitingMessage& message : messages)
        waiting.urgent |= message.urgent;
    if (waiting.count < queue.maxBatchSize) {
        REDRIVE_ASSIGN(next, message_store::nextVisibleAt(cycle.db, queue.queue, cycle.nowMs));
        waiting.nextVisibleAtMs = next;
    }

    Line& line = m_state.lines[queue.queue];
    const BatchTiming timing =
        batchTiming(waiting, queue.maxBatchSize, queue.maxBatchTimeoutMs, line.lastTakenMs, cycle.nowMs);
    line.lookAgainAtSteadyMs.reset();
    if (timing.lookAgainAtMs)
        line.lookAgainAtSteadyMs = cycle.steadyMs + (*timing.lookAgainAtMs - cycle.nowMs);
    if (!timing.due)
        return 0;

    const auto poison = std::find_if(messages.cbegin(), messages.cend(), [](const WaitingMessage& message) {
        return message.crashes >= kCrashesBeforeAlone;
    });
    if (poison != messages.cend()) {
        const auto at = poison - messages.cbegin();
        messages = at == 0 ? messages.first(1) : messages.first(at);
    }
    line.lastTakenMs = cycle.nowMs;
    REDRIVE_TRY(openBatch(cycle, queue, messages));
    return int(messages.size());
}

} // namespace redrive
