// Runs jobs: begins attempts for the consumer, hands blocking ones to the workers, and settles what they
// report. Control thread, except where noted.
#pragma once

#include "core/base/clock.h"
#include "core/jobs/claim_budget.h"
#include "core/jobs/handler_registry.h"
#include "core/jobs/job_settler.h"
#include "core/jobs/plain_handler.h"
#include "core/jobs/plain_settler.h"
#include "core/jobs/worker_pool.h"
#include "core/queue/message_runner.h"

#include <mutex>

namespace redrive {

class Consumer;

class JobRunner final : public MessageRunner, public CyclePart
{
public:
    // `wake` is called from workers when outcomes wait.
    JobRunner(const HandlerRegistry& registry, WorkerPool& workers, BackoffSettings backoff,
              Counters& counters, std::function<void()> wake);

    void setConsumer(Consumer& consumer) { m_consumer = &consumer; }
    // Before the start. Handles the messages of a queue that are no jobs.
    void setPlainHandler(const QString& queue, std::shared_ptr<PlainHandler> handler);
    // Asks every running handler to stop; their outcomes come as Cancelled or as what they still achieved.
    void stopHandlers();
    // Reports of handlers wait to be recorded.
    bool hasReports() const;
    // The end of an engine: what still runs goes back as if its attempt had not been. False: the database
    // refused that for some, which stay claimed.
    Result<bool> releaseRunning(Cycle& cycle);

    bool hasCapacity() const override;
    int running() const override { return int(m_state.running.size()); }
    Result<Begin> beginJob(Cycle& cycle, const ConsumerSettings& queue, const WaitingMessage& message,
                           qint64 claimNo) override;
    bool handlesMessages(const QString& queue) const override;
    Status handleMessages(Cycle& cycle, const ConsumerSettings& queue,
                          const QList<WaitingMessage>& messages) override;

    void turnBegins() override { m_saved = m_state; }
    bool hasWork(qint64 nowMs, qint64 steadyMs) const override;
    Status apply(Cycle& cycle) override;
    void rolledBack(const Error& error) override;
    std::optional<qint64> nextDeadline() const override;

private:
    struct Report
    {
        qint64 claimNo = 0;
        HandlerOutcome outcome;
        qint64 tookUs = 0;
    };
    struct Running
    {
        ClaimedJob job;
        ConsumerSettings queue;
        std::shared_ptr<StopSignal> stop;
    };
    struct State
    {
        QHash<qint64, Running> running; // by claim number
        QHash<QString, int> runningOfType;
    };

    Result<Begin> beginBlocking(Cycle& cycle, const ConsumerSettings& queue, const ClaimedJob& job,
                                BlockingHandler& handler);
    Result<Begin> runInside(Cycle& cycle, const ConsumerSettings& queue, const ClaimedJob& job,
                            StoreHandler& handler);
    Result<Begin> skipStray(Cycle& cycle, const WaitingMessage& message);
    void submit(const ClaimedJob& job, BlockingHandler& handler, std::shared_ptr<StopSignal> stop);
    void report(Report report); // worker threads
    Status settleReport(Cycle& cycle, const Report& report);
    // False: the database refused it, and the attempt stays open.
    Result<bool> settleCarefully(Cycle& cycle, const Report& report);

    const HandlerRegistry& m_registry;
    WorkerPool& m_workers;
    JobSettler m_settler;
    PlainSettler m_plainSettler;
    std::function<void()> m_wake;
    Consumer* m_consumer = nullptr;
    QHash<QString, std::shared_ptr<PlainHandler>> m_plainHandlers;
    State m_state;
    State m_saved;
    ClaimBudget m_budget;
    std::vector<Report> m_settling; // taken from the inbox, kept until a turn with them has committed
    bool m_careful = false;         // after an error that one row of the turn may have caused: each by itself
    std::vector<Report> m_refused;  // by the database; tried again later
    qint64 m_refusedAgainMs = 0;    // when, on the steady clock

    mutable std::mutex m_mutex; // guards m_inbox
    std::vector<Report> m_inbox;
};

} // namespace redrive
