// Writes what became of a job's attempt: message, job row, attempt record, result and letter together.
// Control thread, inside a turn's transaction.
#pragma once

#include "core/feed/counters.h"
#include "core/jobs/job_plan.h"
#include "core/store/message_store.h"

namespace redrive {

class JobSettler final
{
public:
    JobSettler(BackoffSettings backoff, Counters& counters) : m_backoff(backoff), m_counters(counters) {}

    // Of a claimed attempt. False: the claim is no longer ours, and nothing was changed.
    Result<bool> settle(Cycle& cycle, const ConsumerSettings& queue, const ClaimedJob& job,
                        const HandlerOutcome& outcome);
    // Of an attempt made inside the turn, whose message nobody had claimed.
    Result<bool> settleUnclaimed(Cycle& cycle, const ConsumerSettings& queue, const ClaimedJob& job,
                                 const HandlerOutcome& outcome);
    // What came of an attempt that was no longer ours by then: kept as a note on it.
    static Status noteLostLease(Cycle& cycle, const ClaimedJob& job, const HandlerOutcome& outcome);
    // A message whose job row is missing. One that has its letter already goes: it is the copy of a
    // dead-letter queue.
    Status buryMissing(Cycle& cycle, const ConsumerSettings& queue, const WaitingMessage& message);

private:
    enum class Hold { Claimed, Unclaimed };
    Result<bool> settle(Cycle& cycle, const ConsumerSettings& queue, const ClaimedJob& job,
                        const HandlerOutcome& outcome, Hold hold);
    // What an operator or another hand has done to the job meanwhile goes before the plan.
    Status heed(Cycle& cycle, const ClaimedJob& job, JobPlan& plan) const;
    Result<bool> settleMessage(Cycle& cycle, const ConsumerSettings& queue, const ClaimedJob& job,
                               const JobPlan& plan, const QString& error, Hold hold);
    Status settleRows(Cycle& cycle, const ConsumerSettings& queue, const ClaimedJob& job, const JobPlan& plan,
                      const HandlerOutcome& outcome);
    void count(Cycle& cycle, const ConsumerSettings& queue, const JobPlan& plan);

    BackoffSettings m_backoff;
    Counters& m_counters;
};

} // namespace redrive
