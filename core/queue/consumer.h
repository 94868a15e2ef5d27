// Drains the consumed queues in batches: forms a batch when it is due, leases it, begins its work in send
// order as far as there is capacity, and ends it when the last message is settled. Control thread.
#pragma once

#include "core/base/clock.h"
#include "core/feed/queue_counters.h"
#include "core/queue/concurrency.h"
#include "core/queue/message_runner.h"
#include "core/store/queue_store.h"

#include <deque>

namespace redrive {

class Consumer final : public CyclePart
{
public:
    // `workers`: the most batches at once of a queue that sets no max_concurrency itself. `counters` are told
    // how many are open; they outlive the consumer.
    Consumer(QList<ConsumerSettings> queues, int workers, MessageRunner& runner,
             QueueCounters* counters = nullptr);

    // Called by the runner in the turn that settles what it had begun.
    void finished(qint64 claimNo);
    // A batch of messages that are no jobs ended; `failed`: its handler threw or ran out of time.
    void batchEnded(const QString& queue, bool failed);
    // Something outside this engine may have changed any queue.
    void lookAtAll() { m_lookAtAll = true; }
    // Takes nothing new from now on.
    void stopTaking() { m_taking = false; }
    int openBatches() const;

    void turnBegins() override { m_saved = m_state; }
    bool hasWork(qint64 nowMs, qint64 steadyMs) const override;
    Status apply(Cycle& cycle) override;
    void rolledBack(const Error& error) override;
    std::optional<qint64> nextDeadline() const override;

    // For a stopping engine: gives back what is leased and has not begun.
    Status releaseUnstarted(Cycle& cycle);

private:
    struct Batch
    {
        QString queue;
        std::deque<WaitingMessage> unstarted; // jobs: leased, in send order
        QList<WaitingMessage> plain;          // the others, which begin together; likewise
        int running = 0;
        bool alone = false; // holds one message that crashed its engine twice
    };
    struct Line // of one queue
    {
        qint64 lastTakenMs = 0;
        std::optional<qint64> lookAgainAtSteadyMs;
        int batches = 0;
        Concurrency concurrency; // of a queue without max_concurrency
    };
    struct State
    {
        QHash<QString, Line> lines;
        QMap<quint64, Batch> batches;
        QHash<qint64, quint64> batchOfClaim;
        QSet<QString> full;  // queues with work that wait for the end of a batch or for capacity
        QSet<QString> again; // queues that got something after they were looked at
    };

    static constexpr int kCrashesBeforeAlone = 2;

    int batchLimit(const ConsumerSettings& queue) const;
    bool mayTakeAnother(const ConsumerSettings& queue, Line& line);
    void adjust(const QString& queue, ConcurrencyEvent event);
    void tellBatches(Cycle& cycle);
    bool mayBegin(const Batch& batch) const;
    Status endWaitForNothing(Cycle& cycle, const QString& queue);
    Status takeBatches(Cycle& cycle, const ConsumerSettings& queue);
    // The number of messages taken; 0: no batch is due.
    Result<int> takeBatch(Cycle& cycle, const ConsumerSettings& queue);
    Status handlePlain(Cycle& cycle, const ConsumerSettings& queue, const QList<WaitingMessage>& messages);
    Result<Begin> begin(Cycle& cycle, const ConsumerSettings& queue, const WaitingMessage& message,
                        qint64 claimNo, bool together);
    Status beginPlain(Cycle& cycle, const ConsumerSettings& queue, quint64 batchNo);
    // After the database refused what a message needs: it waits, so that it blocks no other.
    Status putOff(Cycle& cycle, const WaitingMessage& message, const Error& error);
    Status openBatch(Cycle& cycle, const ConsumerSettings& queue, const QList<WaitingMessage>& messages);
    Status beginMore(Cycle& cycle);
    Status releaseBatch(Cycle& cycle, quint64 batchNo);
    Status beginBatch(Cycle& cycle, quint64 batchNo);
    // `together`: what the database refuses one of them is the error of all.
    Status beginEntries(Cycle& cycle, quint64 batchNo, bool together);
    void endIfSettled(quint64 batchNo);

    QList<ConsumerSettings> m_queues;
    int m_workers;
    MessageRunner& m_runner;
    QueueCounters* m_counters;
    QHash<QString, std::pair<int, int>> m_told; // batches and limit
    State m_state;
    State m_saved;
    QHash<QString, QueueRow> m_rows; // pauses, reloaded when they change
    quint64 m_nextBatch = 1;
    qint64 m_nextClaim = 1;
    bool m_lookAtAll = true;
    bool m_taking = true;
    bool m_careful = false; // after an error that one row of the turn may have caused: each by itself
};

} // namespace redrive
