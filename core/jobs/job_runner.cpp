#include "core/jobs/job_runner.h"

#include "core/base/log.h"
#include "core/db/savepoint.h"
#include "core/domain/reason.h"
#include "core/queue/consumer.h"
#include "core/store/job_store.h"
#include "core/store/lone_change.h"

#include <chrono>

namespace redrive {

namespace {

constexpr qint64 kForeignClaimPauseMs = 10'000;
constexpr qint64 kRefusedPauseMs = 60'000;
constexpr qsizetype kMaxErrorLength = 64 * 1024;

ClaimedJob claimedJob(const Cycle& cycle, const ConsumerSettings& queue, const WaitingMessage& message,
                      qint64 claimNo)
{
    ClaimedJob job;
    job.seq = message.seq;
    job.claimNo = claimNo;
    job.id = message.id;
    job.type = message.jobType;
    job.queue = queue.queue;
    job.payload = message.body;
    job.run = message.jobRun;
    job.attempt = message.attempts + 1;
    job.crashes = message.crashes;
    job.maxRetries = queue.maxRetries;
    job.createdAtMs = message.jobCreatedAtMs;
    job.claimedAtMs = cycle.nowMs;
    return job;
}

HandlerOutcome unknownType(const QString& type)
{
    return {HandlerResult::Permanent,
            u"no handler for the job type \"%1\""_s.arg(type.left(200)),
            reason::kUnknownType,
            {},
            {}};
}

} // namespace

JobRunner::JobRunner(const HandlerRegistry& registry, WorkerPool& workers, BackoffSettings backoff,
                     Counters& counters, std::function<void()> wake)
    : m_registry(registry), m_workers(workers), m_settler(backoff, counters), m_plainSettler(counters),
      m_wake(std::move(wake)), m_budget(workers.threads())
{
}

void JobRunner::setPlainHandler(const QString& queue, std::shared_ptr<PlainHandler> handler)
{
    m_plainHandlers.insert(queue, std::move(handler));
}

void JobRunner::stopHandlers()
{
    for (const Running& running : std::as_const(m_state.running))
        running.stop->requested = true;
}

Result<bool> JobRunner::releaseRunning(Cycle& cycle)
{
    HandlerOutcome released;
    released.result = HandlerResult::Cancelled;
    bool allReleased = true;
    for (const Running& running : std::as_const(m_state.running)) {
        const auto settled =
            changeAlone(cycle, [&] { return m_settler.settle(cycle, running.queue, running.job, released); });
        if (!settled && concernsTheStore(settled.error()))
            return fail(settled.error());
        allReleased &= settled.has_value();
    }
    m_state = {};
    return allReleased;
}

bool JobRunner::hasCapacity() const
{
    return m_state.running.size() < m_budget.limit();
}

bool JobRunner::handlesMessages(const QString& queue) const
{
    return m_plainHandlers.contains(queue);
}

Result<Begin> JobRunner::beginJob(Cycle& cycle, const ConsumerSettings& queue, const WaitingMessage& message,
                                  qint64 claimNo)
{
    if (!message.jobFound) {
        REDRIVE_TRY(m_settler.buryMissing(cycle, queue, message));
        return Begin::Settled;
    }
    if (message.jobStatus != toText(JobStatus::Pending) ||
        (message.jobDueAtMs && *message.jobDueAtMs > cycle.nowMs))
        return skipStray(cycle, message);

    const ClaimedJob job = claimedJob(cycle, queue, message, claimNo);
    if (StoreHandler* handler = m_registry.store(job.type))
        return runInside(cycle, queue, job, *handler);
    if (BlockingHandler* handler = m_registry.blocking(job.type))
        return beginBlocking(cycle, queue, job, *handler);
    REDRIVE_TRY(m_settler.settleUnclaimed(cycle, queue, job, unknownType(job.type)));
    return Begin::Settled;
}

Result<Begin> JobRunner::skipStray(Cycle& cycle, const WaitingMessage& message)
{
    if (message.jobStatus == toText(JobStatus::Pending)) { // it came before its time
        REDRIVE_TRY(
            message_store::retryUnclaimed(cycle, message.seq, *message.jobDueAtMs, message.attempts, {}));
    } else if (message.jobStatus ==
               toText(JobStatus::Processing)) { // held elsewhere, or damaged: the sweep's case
        const qint64 laterMs = cycle.nowMs + kForeignClaimPauseMs;
        REDRIVE_TRY(message_store::retryUnclaimed(cycle, message.seq, laterMs, message.attempts, {}));
    } else {
        REDRIVE_TRY(message_store::removeUnclaimed(cycle, message.seq));
    }
    return Begin::Settled;
}

Result<Begin> JobRunner::runInside(Cycle& cycle, const ConsumerSettings& queue, const ClaimedJob& job,
                                   StoreHandler& handler)
{
    auto ran = changeAlone(cycle, [&] { return handler.run(job, cycle); });
    if (!ran && concernsTheStore(ran.error()))
        return fail(ran.error());
    const HandlerOutcome outcome =
        ran ? *std::move(ran) : HandlerOutcome{HandlerResult::Transient, ran.error().text(), {}, {}, {}};
    REDRIVE_TRY(m_settler.settleUnclaimed(cycle, queue, job, outcome));
    return Begin::Settled;
}

Result<Begin> JobRunner::beginBlocking(Cycle& cycle, const ConsumerSettings& queue, const ClaimedJob& job,
                                       BlockingHandler& handler)
{
    const int limit = handler.concurrencyLimit();
    if (!hasCapacity() || (limit > 0 && m_state.runningOfType.value(job.type) >= limit))
        return Begin::Wait;
    REDRIVE_ASSIGN(claimed, message_store::claim(cycle, job.seq, job.attempt - 1, job.claimNo));
    if (!claimed)
        return Begin::Settled; // another engine has it, or had it
    REDRIVE_ASSIGN(pending, job_store::claim(cycle, job.id, job.run, job.attempt));
    if (!pending) {
        REDRIVE_TRY(message_store::releaseClaim(cycle, job.seq, job.claimNo));
        REDRIVE_TRY(message_store::retryUnclaimed(cycle, job.seq, cycle.nowMs + kForeignClaimPauseMs,
                                                  job.attempt - 1, {}));
        return Begin::Settled;
    }
    auto stop = std::make_shared<StopSignal>();
    m_state.running.insert(job.claimNo, {job, queue, stop});
    ++m_state.runningOfType[job.type];
    cycle.afterCommit.push_back([this, job, &handler, stop] { submit(job, handler, stop); });
    return Begin::Running;
}

void JobRunner::submit(const ClaimedJob& job, BlockingHandler& handler, std::shared_ptr<StopSignal> stop)
{
    m_workers.submit([this, job, &handler, stop = std::move(stop)] {
        const auto began = std::chrono::steady_clock::now();
        Report done;
        done.claimNo = job.claimNo;
        if (stop->requested)
            done.outcome.result = HandlerResult::Cancelled;
        else
            done.outcome = handler.run(job, *stop);
        done.outcome.error.truncate(kMaxErrorLength);
        done.tookUs =
            std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - began)
                .count();
        report(std::move(done));
    });
}

void JobRunner::report(Report done)
{
    bool first = false;
    {
        std::lock_guard lock(m_mutex);
        first = m_inbox.empty();
        m_inbox.push_back(std::move(done));
    }
    if (first)
        m_wake();
}

bool JobRunner::hasReports() const
{
    std::lock_guard lock(m_mutex);
    return !m_settling.empty() || !m_inbox.empty();
}

bool JobRunner::hasWork(qint64, qint64 steadyMs) const
{
    return hasReports() || (!m_refused.empty() && steadyMs >= m_refusedAgainMs);
}

std::optional<qint64> JobRunner::nextDeadline() const
{
    return m_refused.empty() ? std::nullopt : std::optional(m_refusedAgainMs);
}

Status JobRunner::apply(Cycle& cycle)
{
    {
        std::lock_guard lock(m_mutex);
        m_settling.insert(m_settling.end(), std::make_move_iterator(m_inbox.begin()),
                          std::make_move_iterator(m_inbox.end()));
        m_inbox.clear();
    }
    if (!m_refused.empty() && cycle.steadyMs >= m_refusedAgainMs) {
        m_careful = true;
        m_settling.insert(m_settling.end(), std::make_move_iterator(m_refused.begin()),
                          std::make_move_iterator(m_refused.end()));
        m_refused.clear();
    }
    if (m_settling.empty() && !m_careful)
        return {};
    std::vector<Report> refused;
    for (const Report& done : m_settling) {
        if (!m_careful) {
            REDRIVE_TRY(settleReport(cycle, done));
            continue;
        }
        REDRIVE_ASSIGN(settled, settleCarefully(cycle, done));
        if (!settled)
            refused.push_back(done);
    }
    cycle.afterCommit.push_back([this, refused = std::move(refused), nowMs = cycle.steadyMs] {
        m_careful = false;
        m_settling.clear();
        if (refused.empty())
            return;
        m_refused.insert(m_refused.end(), refused.begin(), refused.end());
        m_refusedAgainMs = nowMs + kRefusedPauseMs;
    });
    return {};
}

Result<bool> JobRunner::settleCarefully(Cycle& cycle, const Report& done)
{
    const auto settled = changeAlone(cycle, [&] { return settleReport(cycle, done); });
    if (settled)
        return true;
    if (concernsTheStore(settled.error()))
        return fail(settled.error());
    logEvent(LogLevel::Error, "outcome_refused",
             {{"job", m_state.running.value(done.claimNo).job.id}, {"error", settled.error().text()}});
    Report failed = done; // what cannot be recorded is a failure of its own: it waits, and dies in the end
    failed.outcome = {HandlerResult::Transient, settled.error().text(), {}, {}, {}};
    const auto asFailure = changeAlone(cycle, [&] { return settleReport(cycle, failed); });
    if (!asFailure && concernsTheStore(asFailure.error()))
        return fail(asFailure.error());
    return asFailure.has_value();
}

Status JobRunner::settleReport(Cycle& cycle, const Report& done)
{
    const auto found = m_state.running.constFind(done.claimNo);
    if (found == m_state.running.constEnd())
        return {};
    const Running running = *found;
    REDRIVE_ASSIGN(ours, m_settler.settle(cycle, running.queue, running.job, done.outcome));
    if (!ours)
        logEvent(LogLevel::Warning, "late_outcome_ignored", {{"job", running.job.id}});
    m_state.running.remove(done.claimNo);
    --m_state.runningOfType[running.job.type];
    m_budget.ran(done.tookUs);
    if (m_consumer)
        m_consumer->finished(done.claimNo);
    return {};
}

void JobRunner::rolledBack(const Error& error)
{
    m_state = m_saved;
    m_careful = m_careful || !concernsTheStore(error);
    if (!m_settling.empty())
        logEvent(LogLevel::Error, "outcomes_not_recorded", {{"error", error.text()}});
}

Status JobRunner::handleMessages(Cycle& cycle, const ConsumerSettings& queue,
                                 const QList<WaitingMessage>& messages)
{
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
    return m_plainSettler.settle(cycle, queue, messages, settlement.decisions(end));
}

} // namespace redrive
