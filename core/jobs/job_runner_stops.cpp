// How what runs is ended before it ends by itself: asked to stop, out of time, given up.
#include "core/base/log.h"
#include "core/jobs/job_runner.h"
#include "core/store/lone_change.h"

namespace redrive {

QString JobRunner::timeLimitWords(qint64 limitMs)
{
    return u"time limit of %1 s reached"_s.arg(double(limitMs) / 1000.0);
}

void JobRunner::stopHandlers()
{
    for (const Running& running : std::as_const(m_state.running))
        running.stop->requested = true;
}

bool JobRunner::askToStop(qint64 claimNo)
{
    const auto running = m_state.running.constFind(claimNo);
    if (running == m_state.running.constEnd())
        return false;
    running->stop->requested = true;
    return true;
}

Status JobRunner::cancelStubborn(Cycle& cycle, qint64 claimNo)
{
    const auto running = m_state.running.constFind(claimNo);
    if (running == m_state.running.constEnd())
        return {};
    HandlerOutcome ignored;
    ignored.result = HandlerResult::Cancelled;
    ignored.error = u"it did not stop when it was asked"_s;
    const auto settled =
        changeAlone(cycle, [&] { return m_settler.settle(cycle, running->queue, running->job, ignored); });
    if (!settled && concernsTheStore(settled.error()))
        return fail(settled.error());
    logEvent(LogLevel::Warning, "handler_ignores_stop", {{"work", running->what()}});
    return {};
}

std::optional<qint64> JobRunner::nextTimeLimit() const
{
    std::optional<qint64> next;
    for (const Running& running : m_state.running) {
        const qint64 started = running.stop->startedSteadyMs;
        if (running.timeLimitMs <= 0 || started < 0)
            continue;
        const qint64 grace = running.outOfTime ? kGiveUpAfterLimitMs : kStopAfterLimitMs;
        const qint64 at = started + running.timeLimitMs + grace;
        next = std::min(next.value_or(at), at);
    }
    return next;
}

Status JobRunner::watchTimeLimits(Cycle& cycle)
{
    const auto next = nextTimeLimit();
    if (!next || cycle.steadyMs < *next)
        return {};
    QList<qint64> lost;
    for (auto running = m_state.running.begin(); running != m_state.running.end(); ++running) {
        const qint64 started = running->stop->startedSteadyMs;
        const qint64 over = cycle.steadyMs - started - running->timeLimitMs;
        if (running->timeLimitMs <= 0 || started < 0 || over < kStopAfterLimitMs)
            continue;
        running->outOfTime = true;
        running->stop->requested = true;
        if (over >= kGiveUpAfterLimitMs)
            lost.append(running.key());
    }
    for (const qint64 claimNo : std::as_const(lost))
        REDRIVE_TRY(giveUp(cycle, claimNo));
    return {};
}

Status JobRunner::giveUp(Cycle& cycle, qint64 claimNo)
{
    if (!m_state.running.contains(claimNo))
        return {};
    const Running running = m_state.running.value(claimNo);
    HandlerReport lost;
    lost.claimNo = claimNo;
    lost.outcome.result = lost.batch.result = HandlerResult::TimedOut;
    lost.outcome.error = lost.batch.error =
        timeLimitWords(running.timeLimitMs) + u", and the handler did not stop: its thread was given up"_s;
    const auto settled = changeAlone(cycle, [&] { return settle(cycle, running, lost); });
    if (!settled && concernsTheStore(settled.error()))
        return fail(settled.error());
    logEvent(LogLevel::Error, "handler_given_up", {{"work", running.what()}});
    forget(claimNo);
    cycle.afterCommit.push_back([this, claimNo] { m_workers.giveUp(claimNo); });
    return {};
}

} // namespace redrive
