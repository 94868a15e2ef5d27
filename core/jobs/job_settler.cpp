#include "core/jobs/job_settler.h"

#include "core/domain/attempts.h"
#include "core/domain/reason.h"
#include "core/store/job_store.h"
#include "core/store/letter_store.h"
#include "core/store/redrive_ledger_store.h"
#include "core/store/stop_store.h"

#include <QRandomGenerator>

namespace redrive {

namespace {

constexpr qsizetype kMostOfLateResult = 4'096; // characters

Status noteOutcome(Cycle& cycle, const QString& jobId, const JobPlan& plan, const QString& error)
{
    if (plan.next == Next::Done)
        return redrive_ledger_store::noteSuccess(cycle, jobId);
    if (plan.next == Next::Retry || plan.next == Next::Dead)
        return redrive_ledger_store::noteFailure(cycle, jobId, error);
    return {};
}

} // namespace

Result<bool> JobSettler::settle(Cycle& cycle, const ConsumerSettings& queue, const ClaimedJob& job,
                                const HandlerOutcome& outcome)
{
    return settle(cycle, queue, job, outcome, Hold::Claimed);
}

Result<bool> JobSettler::settleUnclaimed(Cycle& cycle, const ConsumerSettings& queue, const ClaimedJob& job,
                                         const HandlerOutcome& outcome)
{
    return settle(cycle, queue, job, outcome, Hold::Unclaimed);
}

Result<bool> JobSettler::settle(Cycle& cycle, const ConsumerSettings& queue, const ClaimedJob& job,
                                const HandlerOutcome& outcome, Hold hold)
{
    JobPlanInput input;
    input.result = outcome.result;
    input.reason = outcome.reason;
    input.askedDelayMs = outcome.retryDelayMs;
    input.leastDelayMs = outcome.leastDelayMs;
    input.attempt = job.attempt;
    input.crashes = job.crashes;
    input.maxRetries = queue.maxRetries;
    input.queueRetryDelayMs = queue.retryDelayMs;
    input.backoff = m_backoff;
    input.random = QRandomGenerator::global()->generateDouble();
    JobPlan plan = planJob(input);
    if (plan.next == Next::Dead && queue.deadLetterQueue.isEmpty() && plan.reason == reason::kRetriesUsedUp)
        plan.reason = reason::kNoLetterKept;

    if (outcome.result != HandlerResult::Done)
        REDRIVE_TRY(heed(cycle, job, plan));

    REDRIVE_ASSIGN(ours, settleMessage(cycle, queue, job, plan, outcome.error, hold));
    if (!ours)
        return false;
    REDRIVE_TRY(settleRows(cycle, queue, job, plan, outcome));
    count(cycle, queue, plan);
    return true;
}

Status JobSettler::noteLostLease(Cycle& cycle, const ClaimedJob& job, const HandlerOutcome& outcome)
{
    QString note = outcome.result == HandlerResult::Done
                       ? u"lost lease: it was done later, which changed nothing"_s
                       : u"lost lease: it failed later, which changed nothing"_s;
    const QString said =
        outcome.result == HandlerResult::Done ? QString::fromUtf8(outcome.content) : outcome.error;
    if (!said.isEmpty())
        note += u": "_s + said.left(kMostOfLateResult);
    return job_store::noteOnAttempt(cycle, job.id, job.run, job.attempt, note);
}

Status JobSettler::heed(Cycle& cycle, const ClaimedJob& job, JobPlan& plan) const
{
    REDRIVE_ASSIGN(standing, stop_store::standingOf(cycle.db, job.seq));
    if (!standing.jobOpen)
        plan = {Next::Stray, 0, {}, u"cancelled"_s};
    else if (standing.stopAsked)
        plan = {Next::Cancelled, 0, reason::kCancelled, u"cancelled"_s};
    return {};
}

Result<bool> JobSettler::settleMessage(Cycle& cycle, const ConsumerSettings& queue, const ClaimedJob& job,
                                       const JobPlan& plan, const QString& error, Hold hold)
{
    const bool claimed = hold == Hold::Claimed;
    switch (plan.next) {
    case Next::Retry: {
        const qint64 dueAt = cycle.nowMs + plan.delayMs;
        cycle.queuesToLook.insert(queue.queue);
        return claimed ? message_store::retryAt(cycle, job.seq, job.claimNo, dueAt, error)
                       : message_store::retryUnclaimed(cycle, job.seq, dueAt, job.attempt, error);
    }
    case Next::Release:
        cycle.queuesToLook.insert(queue.queue);
        return claimed ? message_store::releaseClaim(cycle, job.seq, job.claimNo) : Result<bool>(true);
    case Next::Dead:
        if (!queue.deadLetterQueue.isEmpty())
            return claimed ? message_store::moveTo(cycle, job.seq, job.claimNo, queue.deadLetterQueue, error)
                           : message_store::moveUnclaimed(cycle, job.seq, queue.deadLetterQueue, error);
        break;
    case Next::Done:
    case Next::Cancelled:
    case Next::Stray:
        break;
    }
    return claimed ? message_store::remove(cycle, job.seq, job.claimNo)
                   : message_store::removeUnclaimed(cycle, job.seq);
}

Status JobSettler::settleRows(Cycle& cycle, const ConsumerSettings& queue, const ClaimedJob& job,
                              const JobPlan& plan, const HandlerOutcome& outcome)
{
    if (plan.next == Next::Release)
        return job_store::giveBack(cycle, job.id, job.attempt - 1, job.crashes, {}, {});

    AttemptRecord record;
    record.jobId = job.id;
    record.run = job.run;
    record.attempt = job.attempt;
    record.instanceNo = cycle.instanceNo;
    record.startedAtMs = job.claimedAtMs;
    record.outcome = plan.attemptOutcome;
    record.error = outcome.error;
    if (plan.next == Next::Retry)
        record.nextAtMs = cycle.nowMs + plan.delayMs;
    REDRIVE_TRY(job_store::recordAttempt(cycle, record));
    if (!outcome.content.isEmpty())
        REDRIVE_TRY(job_store::storeResult(cycle, job.id, job.run, outcome.content));

    if (plan.next == Next::Stray)
        return {};
    if (job.mayBeRedriven)
        REDRIVE_TRY(noteOutcome(cycle, job.id, plan, outcome.error));
    if (plan.next == Next::Cancelled)
        return job_store::cancel(cycle, job.id, outcome.error, plan.reason);
    if (plan.next == Next::Done)
        return job_store::finish(cycle, job.id, job.attempt);
    if (plan.next == Next::Retry)
        return job_store::waitForRetry(cycle, job.id, job.attempt, *record.nextAtMs, outcome.error,
                                       plan.reason);

    REDRIVE_TRY(job_store::die(cycle, job.id, job.attempt, job.crashes, outcome.error, plan.reason));
    if (queue.deadLetterQueue.isEmpty())
        return {};
    NewLetter letter;
    letter.subjectId = job.id;
    letter.sourceQueue = queue.queue;
    letter.deadLetterQueue = queue.deadLetterQueue;
    letter.type = job.type;
    letter.run = job.run;
    letter.attempts = job.attempt;
    letter.maxAttempts = attemptsGranted(queue.maxRetries + 1, job.crashes);
    letter.reason = plan.reason;
    letter.error = outcome.error;
    letter.sentAtMs = job.createdAtMs;
    return letter_store::insert(cycle, letter);
}

void JobSettler::count(Cycle& cycle, const ConsumerSettings& queue, const JobPlan& plan)
{
    Counters& counters = m_counters;
    switch (plan.next) {
    case Next::Done:
        cycle.afterCommit.push_back([&counters, name = queue.queue] {
            ++counters.done;
            counters.queues.add(name, &QueueTotals::done);
        });
        break;
    case Next::Retry:
        cycle.afterCommit.push_back([&counters, name = queue.queue] {
            ++counters.failed;
            counters.queues.add(name, &QueueTotals::failed);
        });
        break;
    case Next::Dead:
        cycle.afterCommit.push_back(
            [&counters, name = queue.queue, dropped = queue.deadLetterQueue.isEmpty()] {
                ++counters.failed;
                ++counters.dead;
                counters.queues.add(name, &QueueTotals::failed);
                counters.queues.add(name, &QueueTotals::dead);
                if (dropped)
                    ++counters.dropped;
            });
        break;
    case Next::Release:
    case Next::Cancelled:
    case Next::Stray:
        break;
    }
}

Status JobSettler::buryMissing(Cycle& cycle, const ConsumerSettings& queue, const WaitingMessage& message)
{
    REDRIVE_ASSIGN(known, letter_store::exists(cycle.db, message.id, reason::kMissingRow));
    if (known) {
        REDRIVE_TRY(message_store::removeUnclaimed(cycle, message.seq));
        return {};
    }
    const QString error = u"the job's row is missing"_s;
    NewLetter letter;
    letter.subjectId = message.id;
    letter.sourceQueue = queue.queue;
    letter.deadLetterQueue = queue.deadLetterQueue;
    letter.attempts = message.attempts;
    letter.maxAttempts = attemptsGranted(queue.maxRetries + 1, message.crashes);
    letter.reason = reason::kMissingRow;
    letter.error = error;
    letter.sentAtMs = message.sentAtMs;
    REDRIVE_TRY(letter_store::insert(cycle, letter));
    const auto moved = queue.deadLetterQueue.isEmpty()
                           ? message_store::removeUnclaimed(cycle, message.seq)
                           : message_store::moveUnclaimed(cycle, message.seq, queue.deadLetterQueue, error);
    if (!moved)
        return fail(moved.error());
    return {};
}

} // namespace redrive
