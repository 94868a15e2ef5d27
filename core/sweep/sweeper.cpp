#include "core/sweep/sweeper.h"

#include "core/base/log.h"
#include "core/store/job_store.h"
#include "core/store/lone_change.h"
#include "core/store/message_store.h"

namespace redrive {

namespace {

constexpr int kSlice = 500;
constexpr int kHeldSlice = 5'000; // looked at only
constexpr int kNamedInLog = 5;
constexpr qint64 kAtLeastEveryMs = 300'000;

} // namespace

Sweeper::Sweeper(const Settings& settings) : m_settings(settings)
{
    for (const QString& text : settings.crons)
        if (auto cron = CronExpression::parse(text))
            m_crons.append(*cron);
}

bool Sweeper::hasWork(qint64 nowMs, qint64 steadyMs) const
{
    return m_state.first || m_state.sweep || steadyMs >= m_state.nextAtSteadyMs || nowMs >= m_state.nextAtMs;
}

std::optional<qint64> Sweeper::nextDeadline() const
{
    return m_state.first || m_state.sweep ? 0 : m_state.nextAtSteadyMs;
}

void Sweeper::rolledBack(const Error&)
{
    m_state = m_saved;
}

void Sweeper::schedule(qint64 nowMs, qint64 steadyMs)
{
    m_state.nextAtMs = nowMs + kAtLeastEveryMs;
    for (const CronExpression& cron : m_crons)
        if (const qint64 next = cron.nextAfter(nowMs); next > 0)
            m_state.nextAtMs = std::min(m_state.nextAtMs, next);
    m_state.nextAtSteadyMs = steadyMs + (m_state.nextAtMs - nowMs);
}

Status Sweeper::apply(Cycle& cycle)
{
    if (!m_state.sweep) {
        if (!hasWork(cycle.nowMs, cycle.steadyMs))
            return {};
        m_state.sweep = Sweep();
        m_state.sweep->record.startedAtMs = cycle.nowMs;
        m_state.sweep->record.cause = m_state.first       ? u"start"_s
                                      : m_crons.isEmpty() ? u"interval"_s
                                                          : u"cron"_s;
        m_state.first = false;
        schedule(cycle.nowMs, cycle.steadyMs);
    }
    return step(cycle, *m_state.sweep);
}

Status Sweeper::step(Cycle& cycle, Sweep& sweep)
{
    if (sweep.phase == Phase::Held)
        return freeHeld(cycle, sweep);
    const OpenStatus status = sweep.phase == Phase::Lost ? OpenStatus::Pending : OpenStatus::Processing;
    REDRIVE_ASSIGN(jobs, sweep_store::openJobs(cycle.db, status, sweep.afterId, kSlice));
    for (const SweepCandidate& job : jobs) {
        sweep.afterId = job.id;
        if (sweep.phase == Phase::Lost ? !isLost(job, cycle.nowMs) : !isStuck(job, cycle.nowMs))
            continue;
        const Status done = changeAlone(cycle, [&] { return repair(cycle, job, sweep.phase); });
        if (!done) {
            if (concernsTheStore(done.error()))
                return done;
            noteFailure(sweep, job.id, done.error());
        } else if (sweep.phase == Phase::Lost) {
            ++sweep.record.published;
        } else {
            ++sweep.record.rescued;
        }
    }
    if (jobs.size() == kSlice)
        return {};
    sweep.afterId.clear();
    if (sweep.phase == Phase::Lost) {
        sweep.phase = Phase::Stuck;
        return {};
    }
    REDRIVE_TRY(finish(cycle, sweep));
    m_state.sweep.reset();
    return {};
}

// Ended engines are recovered by LeaseKeeper; what remains was damaged or came from elsewhere. A job of such
// a message is stuck, and the last phase sees to it.
Status Sweeper::freeHeld(Cycle& cycle, Sweep& sweep)
{
    REDRIVE_ASSIGN(page, sweep_store::heldByNobody(cycle.db, sweep.afterSeq, kHeldSlice));
    for (const HeldPage::Message& message : page.messages) {
        const Status done = changeAlone(cycle, [&] { return sweep_store::freeMessage(cycle, message.seq); });
        if (done) {
            ++sweep.record.rescued;
            cycle.queuesToLook.insert(message.queue);
        } else if (concernsTheStore(done.error())) {
            return done;
        } else {
            noteFailure(sweep, u"message %1"_s.arg(message.seq), done.error());
        }
    }
    sweep.afterSeq = page.lastSeq;
    if (page.last)
        sweep.phase = Phase::Lost;
    return {};
}

void Sweeper::noteFailure(Sweep& sweep, const QString& what, const Error& error)
{
    if (++sweep.record.unrescuable <= kNamedInLog)
        logEvent(LogLevel::Warning, "sweep_could_not_repair", {{"item", what}, {"error", error.text()}});
}

Status Sweeper::finish(Cycle& cycle, const Sweep& sweep)
{
    const SweepRecord& record = sweep.record;
    REDRIVE_TRY(sweep_store::record(cycle, record));
    cycle.changes.operations = true;
    cycle.afterCommit.push_back([record] {
        logEvent(record.published + record.rescued + record.unrescuable > 0 ? LogLevel::Notice
                                                                            : LogLevel::Debug,
                 "sweep",
                 {{"cause", record.cause},
                  {"published", QString::number(record.published)},
                  {"rescued", QString::number(record.rescued)},
                  {"unrescuable", QString::number(record.unrescuable)}});
    });
    return {};
}

bool Sweeper::isLost(const SweepCandidate& job, qint64 nowMs) const
{
    return !job.messageSeq && (!job.dueAtMs || *job.dueAtMs <= nowMs) &&
           job.updatedAtMs <= nowMs - m_settings.sweep.publishLostAfterMs;
}

bool Sweeper::isStuck(const SweepCandidate& job, qint64 nowMs) const
{
    return !job.leased && job.updatedAtMs <= nowMs - m_settings.sweep.stuckAfterMs;
}

Status Sweeper::repair(Cycle& cycle, const SweepCandidate& job, Phase phase)
{
    if (phase == Phase::Lost)
        return publish(cycle, job, job.attempts);
    const int attempts = std::max(1, job.attempts); // the attempt it was lost in
    AttemptRecord record;
    record.jobId = job.id;
    record.run = job.run;
    record.attempt = attempts;
    record.startedAtMs = job.updatedAtMs;
    record.outcome = u"lost"_s;
    record.error = u"left in processing without a lease"_s;
    REDRIVE_TRY(job_store::recordAttempt(cycle, record));
    REDRIVE_TRY(sweep_store::backToPending(cycle, job.id, attempts));
    if (!job.messageSeq)
        return publish(cycle, job, attempts);
    REDRIVE_TRY(sweep_store::showMessageNow(cycle, *job.messageSeq, attempts));
    cycle.queuesToLook.insert(job.queue);
    return {};
}

Status Sweeper::publish(Cycle& cycle, const SweepCandidate& job, int attempts)
{
    NewMessage message;
    message.id = job.id;
    message.queue = job.queue.isEmpty() ? m_settings.queueForType(job.type) : job.queue;
    if (message.queue.isEmpty())
        return fail(ErrorKind::Refused, u"no queue is configured for jobs"_s);
    message.isJob = true;
    message.size = job.payloadBytes;
    message.visibleAtMs = cycle.nowMs;
    message.attempts = attempts;
    REDRIVE_ASSIGN(made, message_store::insert(cycle, message));
    if (made && job.crashes > 0)
        REDRIVE_TRY(sweep_store::setCrashes(cycle, job.id, std::min(job.crashes, attempts)));
    if (job.queue.isEmpty())
        REDRIVE_TRY(sweep_store::setQueue(cycle, job.id, message.queue));
    cycle.changes.jobs = true;
    cycle.changes.touch(job.id);
    return {};
}

} // namespace redrive
