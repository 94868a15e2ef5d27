// Runs jobs and batches of other messages: begins attempts for the consumer, hands blocking ones to the
// workers, watches their time limits and settles what they report. Control thread, except where noted.
#pragma once

#include "core/base/clock.h"
#include "core/jobs/batch_handler.h"
#include "core/jobs/claim_budget.h"
#include "core/jobs/handler_registry.h"
#include "core/jobs/job_settler.h"
#include "core/jobs/plain_handler.h"
#include "core/jobs/plain_settler.h"
#include "core/jobs/report_inbox.h"
#include "core/jobs/worker_pool.h"
#include "core/queue/message_runner.h"
#include "core/queue/turn_writer.h"

namespace redrive {

class Consumer;

class JobRunner final : public MessageRunner, public CyclePart
{
public:
    // A handler is asked to stop when it has outrun its time limit by this much, and loses its thread after
    // the second: the job is retried, whatever the handler still does changes nothing.
    static constexpr qint64 kStopAfterLimitMs = 1'000;
    static constexpr qint64 kGiveUpAfterLimitMs = 10'000;

    // `wake` is called from workers when outcomes wait.
    JobRunner(const HandlerRegistry& registry, WorkerPool& workers, const Clock& clock,
              BackoffSettings backoff, Counters& counters, std::function<void()> wake);
    ~JobRunner() override;

    void setConsumer(Consumer& consumer) { m_consumer = &consumer; }
    // Before the start. Handles the messages of a queue that are no jobs.
    void setPlainHandler(const QString& queue, std::shared_ptr<PlainHandler> handler);
    void setBatchHandler(const QString& queue, std::shared_ptr<BatchHandler> handler);
    void setTurnWriter(const QString& queue, std::shared_ptr<TurnWriter> writer);
    // Asks every running handler to stop; their outcomes come as Cancelled or as what they still achieved.
    void stopHandlers();
    // Asks the handler of one claim to stop. False: nothing runs under this number.
    bool askToStop(qint64 claimNo);
    bool runs(qint64 claimNo) const { return m_state.running.contains(claimNo); }
    // Of a handler that was asked and has not stopped: its job is cancelled, its slot stays taken.
    Status cancelStubborn(Cycle& cycle, qint64 claimNo);
    // Its thread too, if it still runs.
    Status giveUp(Cycle& cycle, qint64 claimNo);
    // Reports of handlers wait to be recorded.
    bool hasReports() const;
    // Nothing is recorded any more; what handlers report from now on is dropped.
    void closeInbox() { m_inbox->close(); }
    bool hasRecords(qint64) const override { return hasReports(); }
    // The end of an engine: what still runs goes back as if its attempt had not been. False: the database
    // refused that for some, which stay claimed.
    Result<bool> releaseRunning(Cycle& cycle);

    bool hasCapacity() const override;
    int running() const override { return int(m_state.running.size()); }
    Result<Begin> beginJob(Cycle& cycle, const ConsumerSettings& queue, const WaitingMessage& message,
                           qint64 claimNo, bool alone) override;
    bool runsInTurn(const WaitingMessage& message) const override;
    bool handlesMessages(const QString& queue) const override;
    bool handlesInTurn(const QString& queue) const override
    {
        return m_plainHandlers.contains(queue) || m_turnWriters.contains(queue);
    }
    std::optional<qint64> waitsUntil(const QString& queue) const override;
    void nothingWaits(Cycle& cycle, const QString& queue) override;
    Result<Begin> beginMessages(Cycle& cycle, const ConsumerSettings& queue,
                                const QList<WaitingMessage>& messages, qint64 claimNo) override;
    Status handleMessages(Cycle& cycle, const ConsumerSettings& queue,
                          const QList<WaitingMessage>& messages) override;

    void turnBegins() override { m_saved = m_state; }
    bool hasWork(qint64 nowMs, qint64 steadyMs) const override;
    Status apply(Cycle& cycle) override;
    void rolledBack(const Error& error) override;
    std::optional<qint64> nextDeadline() const override;

private:
    struct RunSignal : StopSignal
    {
        std::atomic<qint64> startedSteadyMs = -1; // set by the worker
    };
    struct Running
    {
        ClaimedJob job;                 // of a job
        QList<WaitingMessage> messages; // of a batch
        ConsumerSettings queue;
        QString kind; // what counts together against a concurrency limit
        std::shared_ptr<RunSignal> stop;
        qint64 timeLimitMs = 0; // 0: none
        bool outOfTime = false; // and asked to stop for it

        bool isBatch() const { return !messages.isEmpty(); }
        QString what() const;
    };
    struct State
    {
        QHash<qint64, Running> running; // by claim number
        QHash<QString, int> runningOfKind;
    };

    Result<Begin> beginBlocking(Cycle& cycle, const ConsumerSettings& queue, const ClaimedJob& job,
                                const std::shared_ptr<BlockingHandler>& handler);
    Result<Begin> runInside(Cycle& cycle, const ConsumerSettings& queue, const ClaimedJob& job,
                            StoreHandler& handler, bool alone);
    Result<Begin> skipStray(Cycle& cycle, const WaitingMessage& message);
    bool mayRun(const QString& kind, int limit) const;
    void run(Cycle& cycle, qint64 claimNo, Running running,
             std::function<HandlerReport(const StopSignal&)> work);
    void submit(qint64 claimNo, const QString& what, std::shared_ptr<RunSignal> stop,
                std::function<HandlerReport(const StopSignal&)> work);
    Status watchTimeLimits(Cycle& cycle);
    static QString timeLimitWords(qint64 limitMs);
    std::optional<qint64> nextTimeLimit() const;
    Result<bool> settle(Cycle& cycle, const Running& running, const HandlerReport& report);
    Result<bool> settleBatch(Cycle& cycle, const Running& running, const HandlerReport& report);
    void forget(qint64 claimNo);
    Status settleReport(Cycle& cycle, const HandlerReport& report);
    // False: the database refused it, and the attempt stays open.
    Result<bool> settleCarefully(Cycle& cycle, const HandlerReport& report);

    const HandlerRegistry& m_registry;
    WorkerPool& m_workers;
    const Clock& m_clock;
    JobSettler m_settler;
    PlainSettler m_plainSettler;
    Consumer* m_consumer = nullptr;
    QHash<QString, std::shared_ptr<PlainHandler>> m_plainHandlers;
    QHash<QString, std::shared_ptr<BatchHandler>> m_batchHandlers;
    QHash<QString, std::shared_ptr<TurnWriter>> m_turnWriters;
    State m_state;
    State m_saved;
    ClaimBudget m_budget;
    std::vector<HandlerReport> m_settling; // taken from the inbox, kept until a turn with them has committed
    bool m_careful = false; // after an error that one row of the turn may have caused: each by itself
    std::vector<HandlerReport> m_refused; // by the database; tried again later
    qint64 m_refusedAgainMs = 0;          // when, on the steady clock
    std::shared_ptr<ReportInbox> m_inbox; // workers keep it, however long their handlers take
};

} // namespace redrive
