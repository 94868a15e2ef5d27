// What follows from one attempt of a job. Pure.
#pragma once

#include "core/config/settings.h"
#include "core/jobs/handler.h"

namespace redrive {

enum class Next {
    Done,
    Retry,
    Dead,
    Release,   // as if the attempt had not been
    Cancelled, // an operator asked for it
    Stray,     // the job has ended otherwise: only its message goes
};

struct JobPlan
{
    Next next = Next::Done;
    qint64 delayMs = 0;     // of a retry
    QString reason;         // reason code of a retry or a death
    QString attemptOutcome; // what the attempt's row says
};

struct JobPlanInput
{
    HandlerResult result = HandlerResult::Done;
    QString reason;                     // the handler's own, of a permanent failure
    std::optional<qint64> askedDelayMs; // by the handler
    std::optional<qint64> leastDelayMs; // by another
    int attempt = 1;
    int crashes = 0; // of the attempts before: they spend no retries
    int maxRetries = 3;
    std::optional<qint64> queueRetryDelayMs; // replaces the base of the backoff
    BackoffSettings backoff;
    double random = 0; // 0–1, for the jitter
};

JobPlan planJob(const JobPlanInput& input);

} // namespace redrive
