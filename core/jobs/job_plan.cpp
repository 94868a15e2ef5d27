#include "core/jobs/job_plan.h"

#include "core/domain/reason.h"
#include "core/jobs/backoff.h"

namespace redrive {

JobPlan planJob(const JobPlanInput& input)
{
    switch (input.result) {
    case HandlerResult::Done:
        return {Next::Done, 0, {}, u"done"_s};
    case HandlerResult::Cancelled:
        return {Next::Release, 0, {}, u"cancelled"_s};
    case HandlerResult::Permanent:
        return {Next::Dead, 0, input.reason.isEmpty() ? QString(reason::kPermanent) : input.reason,
                u"permanent"_s};
    case HandlerResult::Transient:
    case HandlerResult::TimedOut:
        break;
    }
    const QString outcome = input.result == HandlerResult::TimedOut ? u"timed_out"_s : u"failed"_s;
    const int failures = std::max(1, input.attempt - input.crashes);
    if (failures > input.maxRetries)
        return {Next::Dead, 0, reason::kRetriesUsedUp, outcome};
    const qint64 delay = input.askedDelayMs.value_or(
        backoffMs(input.backoff, failures, input.random, input.queueRetryDelayMs));
    return {Next::Retry, std::max(delay, input.leastDelayMs.value_or(0)), reason::kRetry, outcome};
}

} // namespace redrive
