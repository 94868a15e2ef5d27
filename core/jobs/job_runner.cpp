#include "core/jobs/job_runner.h"

#include "core/base/log.h"
#include "core/domain/reason.h"
#include "core/queue/consumer.h"
#include "core/queue/message_burial.h"
#include "core/store/job_store.h"
#include "core/store/lone_change.h"
#include "core/store/stop_store.h"

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
    job.mayBeRedriven = message.jobRun > 1 || mayBeRedriven(message);
    return job;
}

HandlerOutcome unknownType(const QString& type)
{
    HandlerOutcome outcome;
    outcome.result = HandlerResult::Permanent;
    outcome.error = u"no handler for the job type \"%1\""_s.arg(type.left(200));
    outcome.reason = reason::kUnknownType;
    return outcome;
}

} // namespace

JobRunner::JobRunner(const HandlerRegistry& registry, WorkerPool& workers, const Clock& clock,
                     BackoffSettings backoff, Counters& counters, std::function<void()> wake)
    : m_registry(registry), m_workers(workers), m_clock(clock), m_settler(backoff, counters),
      m_plainSettler(counters), m_budget(workers.threads()),
      m_inbox(std::make_shared<ReportInbox>(std::move(wake)))
{
}

JobRunner::~JobRunner()
{
    m_inbox->close();
}

void JobRunner::setPlainHandler(const QString& queue, std::shared_ptr<PlainHandler> handler)
{
    m_plainHandlers.insert(queue, std::move(handler));
}

Result<bool> JobRunner::releaseRunning(Cycle& cycle)
{
    HandlerReport released;
    released.outcome.result = HandlerResult::Cancelled;
    released.batch.result = HandlerResult::Cancelled;
    bool allReleased = true;
    for (auto running = m_state.running.cbegin(); running != m_state.running.cend(); ++running) {
        released.claimNo = running.key();
        const auto settled = changeAlone(cycle, [&] { return settle(cycle, *running, released); });
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

bool JobRunner::runsInTurn(const WaitingMessage& message) const
{
    return m_registry.store(message.jobType) != nullptr;
}

Result<Begin> JobRunner::beginJob(Cycle& cycle, const ConsumerSettings& queue, const WaitingMessage& message,
                                  qint64 claimNo, bool alone)
{
    if (!message.jobFound) {
        REDRIVE_TRY(m_settler.buryMissing(cycle, queue, message));
        return Begin::Settled;
    }
    if (message.jobStatus != toText(JobStatus::Pending) ||
        (message.jobDueAtMs && *message.jobDueAtMs > cycle.nowMs))
        return skipStray(cycle, message);

    const ClaimedJob job = claimedJob(cycle, queue, message, claimNo);
    if (message.leasedBefore && !m_registry.blocking(job.type)) { // a claim would see it
        REDRIVE_ASSIGN(waits, stop_store::stillWaits(cycle.db, message.seq));
        if (!waits)
            return Begin::Settled;
    }
    if (StoreHandler* handler = m_registry.store(job.type))
        return runInside(cycle, queue, job, *handler, alone);
    if (const auto handler = m_registry.blocking(job.type))
        return beginBlocking(cycle, queue, job, handler);
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
                                   StoreHandler& handler, bool alone)
{
    const auto runIt = [&] { return handler.run(job, cycle); };
    auto ran = alone ? changeAlone(cycle, runIt) : runIt();
    if (!ran && (!alone || concernsTheStore(ran.error())))
        return fail(ran.error());
    const HandlerOutcome outcome =
        ran ? *std::move(ran) : HandlerOutcome{HandlerResult::Transient, ran.error().text(), {}, {}, {}, {}};
    REDRIVE_TRY(m_settler.settleUnclaimed(cycle, queue, job, outcome));
    return Begin::Settled;
}

bool JobRunner::mayRun(const QString& kind, int limit) const
{
    return hasCapacity() && (limit <= 0 || m_state.runningOfKind.value(kind) < limit);
}

Result<Begin> JobRunner::beginBlocking(Cycle& cycle, const ConsumerSettings& queue, const ClaimedJob& job,
                                       const std::shared_ptr<BlockingHandler>& handler)
{
    if (!mayRun(job.type, handler->concurrencyLimit()))
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
    Running running;
    running.job = job;
    running.queue = queue;
    running.kind = job.type;
    running.timeLimitMs = handler->timeLimitMs();
    run(cycle, job.claimNo, std::move(running), [handler, job](const StopSignal& stop) {
        HandlerReport report;
        if (stop.requested)
            report.outcome.result = HandlerResult::Cancelled;
        else
            report.outcome = handler->run(job, stop);
        report.outcome.error.truncate(kMaxErrorLength);
        return report;
    });
    return Begin::Running;
}

void JobRunner::run(Cycle& cycle, qint64 claimNo, Running running,
                    std::function<HandlerReport(const StopSignal&)> work)
{
    running.stop = std::make_shared<RunSignal>();
    ++m_state.runningOfKind[running.kind];
    cycle.afterCommit.push_back([this, claimNo, what = running.what(), stop = running.stop,
                                 work = std::move(work)] { submit(claimNo, what, stop, work); });
    m_state.running.insert(claimNo, std::move(running));
}

// The task owns what it uses: it may outlive the engine.
void JobRunner::submit(qint64 claimNo, const QString& what, std::shared_ptr<RunSignal> stop,
                       std::function<HandlerReport(const StopSignal&)> work)
{
    stop->startedSteadyMs = -1;
    m_workers.submit(
        {claimNo, what, [claimNo, stop, work = std::move(work), inbox = m_inbox, &clock = m_clock] {
             const auto began = std::chrono::steady_clock::now();
             stop->startedSteadyMs = clock.steadyMs();
             HandlerReport report = work(*stop);
             report.claimNo = claimNo;
             report.tookUs = std::chrono::duration_cast<std::chrono::microseconds>(
                                 std::chrono::steady_clock::now() - began)
                                 .count();
             inbox->put(std::move(report));
         }});
}

bool JobRunner::hasReports() const
{
    return !m_settling.empty() || !m_inbox->isEmpty();
}

bool JobRunner::hasWork(qint64, qint64 steadyMs) const
{
    const auto limit = nextTimeLimit();
    return hasReports() || (!m_refused.empty() && steadyMs >= m_refusedAgainMs) ||
           (limit && steadyMs >= *limit);
}

std::optional<qint64> JobRunner::nextDeadline() const
{
    std::optional<qint64> next = nextTimeLimit();
    if (!m_refused.empty())
        next = std::min(next.value_or(m_refusedAgainMs), m_refusedAgainMs);
    return next;
}

Status JobRunner::apply(Cycle& cycle)
{
    REDRIVE_TRY(watchTimeLimits(cycle));
    auto came = m_inbox->take();
    m_settling.insert(m_settling.end(), std::make_move_iterator(came.begin()),
                      std::make_move_iterator(came.end()));
    if (!m_refused.empty() && cycle.steadyMs >= m_refusedAgainMs) {
        m_careful = true;
        m_settling.insert(m_settling.end(), std::make_move_iterator(m_refused.begin()),
                          std::make_move_iterator(m_refused.end()));
        m_refused.clear();
    }
    if (m_settling.empty() && !m_careful)
        return {};
    std::vector<HandlerReport> refused;
    for (const HandlerReport& done : m_settling) {
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

Result<bool> JobRunner::settleCarefully(Cycle& cycle, const HandlerReport& done)
{
    const auto settled = changeAlone(cycle, [&] { return settleReport(cycle, done); });
    if (settled)
        return true;
    if (concernsTheStore(settled.error()))
        return fail(settled.error());
    logEvent(LogLevel::Error, "outcome_refused",
             {{"work", m_state.running.value(done.claimNo).what()}, {"error", settled.error().text()}});
    HandlerReport failed; // what cannot be recorded is a failure of its own: it waits, and dies in the end
    failed.claimNo = done.claimNo;
    failed.tookUs = done.tookUs;
    failed.outcome.result = failed.batch.result = HandlerResult::Transient;
    failed.outcome.error = failed.batch.error = settled.error().text();
    const auto asFailure = changeAlone(cycle, [&] { return settleReport(cycle, failed); });
    if (!asFailure && concernsTheStore(asFailure.error()))
        return fail(asFailure.error());
    return asFailure.has_value();
}

Status JobRunner::settleReport(Cycle& cycle, const HandlerReport& done)
{
    const auto found = m_state.running.constFind(done.claimNo);
    if (found == m_state.running.constEnd()) { // its thread was given up
        logEvent(LogLevel::Warning, "late_outcome_ignored", {{"claim", QString::number(done.claimNo)}});
        return {};
    }
    REDRIVE_ASSIGN(ours, settle(cycle, Running(*found), done));
    if (!ours) {
        logEvent(LogLevel::Warning, "late_outcome_ignored", {{"work", found->what()}});
        if (!found->isBatch())
            REDRIVE_TRY(JobSettler::noteLostLease(cycle, found->job, done.outcome));
    }
    m_budget.ran(done.tookUs);
    forget(done.claimNo);
    return {};
}

Result<bool> JobRunner::settle(Cycle& cycle, const Running& running, const HandlerReport& report)
{
    if (running.isBatch())
        return settleBatch(cycle, running, report);
    HandlerOutcome outcome = report.outcome;
    if (running.outOfTime && outcome.result == HandlerResult::Cancelled) {
        outcome.result = HandlerResult::TimedOut;
        outcome.error = timeLimitWords(running.timeLimitMs);
    }
    return m_settler.settle(cycle, running.queue, running.job, outcome);
}

void JobRunner::forget(qint64 claimNo)
{
    --m_state.runningOfKind[m_state.running.take(claimNo).kind];
    if (m_consumer)
        m_consumer->finished(claimNo);
}

void JobRunner::rolledBack(const Error& error)
{
    m_state = m_saved;
    m_careful = m_careful || !concernsTheStore(error);
    if (!m_settling.empty())
        logEvent(LogLevel::Error, "outcomes_not_recorded", {{"error", error.text()}});
}

QString JobRunner::Running::what() const
{
    return isBatch() ? u"%1 messages of queue '%2'"_s.arg(messages.size()).arg(queue.queue)
                     : u"job %1 of type '%2'"_s.arg(job.id, job.type.left(100));
}

} // namespace redrive
