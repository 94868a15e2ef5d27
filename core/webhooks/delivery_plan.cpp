#include "core/webhooks/delivery_plan.h"

#include "core/domain/reason.h"
#include "core/jobs/backoff.h"
#include "core/net/retry_after.h"
#include "core/webhooks/wait_words.h"

#include <algorithm>

namespace redrive {

namespace {

constexpr int kGone = 410;

QString errorOf(const HttpOutcome& outcome)
{
    if (outcome.outcome != HttpOutcome::Class::Answered)
        return outcome.errorText.isEmpty() ? outcome.errorCode : outcome.errorText;
    const bool redirect = outcome.status >= 300 && outcome.status < 400;
    return redirect ? u"HTTP %1: redirects are not followed"_s.arg(outcome.status)
                    : u"HTTP %1"_s.arg(outcome.status);
}

bool answered(const HttpOutcome& outcome, int status)
{
    return outcome.outcome == HttpOutcome::Class::Answered && outcome.status == status;
}

RetryWait scheduledWait(const DeliveryTerms& terms, int spent, const QList<qint64>& schedule,
                        const BackoffSettings& backoff, double random)
{
    return schedule.isEmpty() ? backoffWait(backoff, spent, random, terms.retryBaseMs)
                              : scheduleWait(schedule, spent, backoff.jitter, random);
}

void readRetryAfter(DeliveryPlan& plan, const HttpOutcome& outcome, qint64 nowMs)
{
    if (!outcome.retryAfter || !(answered(outcome, 429) || answered(outcome, 503)))
        return;
    const auto asked = retryAfterMs(*outcome.retryAfter, nowMs);
    plan.badRetryAfter = !asked;
    if (asked && *asked > 0)
        plan.pauseUntilMs = nowMs + *asked;
}

void die(DeliveryPlan& plan, const QLatin1String& reason, const char* words)
{
    plan.settlement.status = DeliveryStatus::Dead;
    plan.settlement.reason = reason;
    plan.nextReason = QString::fromUtf8(words);
}

// The attempt never had its chance: it is due again, and a replay stays a replay.
DeliveryPlan planAgain(const HttpOutcome& outcome, const DeliveryTerms& terms, qint64 nowMs)
{
    DeliveryPlan plan;
    plan.attemptError = errorOf(outcome);
    plan.settlement.status = DeliveryStatus::Pending;
    plan.settlement.error = plan.attemptError;
    plan.settlement.dueAtMs = nowMs;
    plan.settlement.replayOf = terms.replayOf;
    plan.settlement.resumeStatus = terms.resumeStatus;
    plan.settlement.resumeAtMs = terms.resumeAtMs;
    return plan;
}

DeliveryPlan planCancelled(const HttpOutcome& outcome, const DeliveryTerms& terms, qint64 nowMs)
{
    DeliveryPlan plan = planAgain(outcome, terms, nowMs);
    plan.attemptOutcome = u"cancelled"_s;
    plan.nextReason = u"at once: a cancelled attempt uses up no budget"_s;
    plan.settlement.reason = reason::kInterrupted;
    return plan;
}

// An operator cancelled it while it was being sent. What the endpoint asked for by its answer still counts.
void cancel(DeliveryPlan& plan, const HttpOutcome& outcome, const DeliveryTerms& terms)
{
    const bool stays = terms.resumeStatus == DeliveryStatus::Delivered;
    if (outcome.errorCode == u"cancelled")
        plan.attemptOutcome = u"cancelled"_s;
    plan.settlement.status = stays ? DeliveryStatus::Delivered : DeliveryStatus::Cancelled;
    plan.settlement.reason = stays ? QString() : QString(reason::kCancelled);
    if (stays)
        plan.settlement.error.clear();
    plan.nextReason = u"none: the delivery was cancelled"_s;
}

void goBack(DeliveryPlan& plan, const DeliveryTerms& terms)
{
    DeliverySettlement& settlement = plan.settlement;
    settlement.status = *terms.resumeStatus;
    switch (*terms.resumeStatus) {
    case DeliveryStatus::Delivered:
        settlement.error.clear();
        plan.nextReason = u"none: the replay failed, the delivery stays delivered"_s;
        break;
    case DeliveryStatus::Held:
        settlement.reason = reason::kEndpointDisabled;
        settlement.resumeAtMs = terms.resumeAtMs;
        plan.nextReason = u"none: the replay failed, the delivery stays held"_s;
        break;
    default:
        settlement.reason = reason::kRetry;
        settlement.dueAtMs = terms.resumeAtMs;
        settlement.sendClass = SendClass::Late;
        plan.nextReason = u"as before: a failed replay leaves the schedule alone"_s;
        break;
    }
}

} // namespace

bool isDelivered(const HttpOutcome& outcome)
{
    return outcome.outcome == HttpOutcome::Class::Answered && outcome.status >= 200 && outcome.status < 300;
}

DeliveryPlan planDelivered()
{
    DeliveryPlan plan;
    plan.attemptOutcome = u"delivered"_s;
    plan.settlement.spentNow = 1;
    return plan;
}

DeliveryPlan planFailed(const HttpOutcome& outcome, const DeliveryTerms& terms, const QList<qint64>& schedule,
                        const BackoffSettings& backoff, qint64 nowMs, double random)
{
    if (outcome.errorCode == u"cancelled" && !terms.stopAsked)
        return planCancelled(outcome, terms, nowMs);

    DeliveryPlan plan;
    plan.attemptOutcome = u"failed"_s;
    plan.attemptError = errorOf(outcome);
    plan.disableEndpoint = answered(outcome, kGone);
    plan.settlement.error = plan.attemptError;
    readRetryAfter(plan, outcome, nowMs);
    if (terms.stopAsked) {
        cancel(plan, outcome, terms);
        return plan;
    }

    const bool manual = terms.replayOf && terms.resumeStatus;
    if (manual && terms.resumeStatus == DeliveryStatus::Delivered) {
        goBack(plan, terms);
        return plan;
    }
    const int spent = terms.spent + (manual ? 0 : 1);
    plan.settlement.spentNow = manual ? 0 : 1;
    if (plan.disableEndpoint)
        die(plan, reason::kGone, "none: the endpoint is gone (410)");
    else if (outcome.permanent && outcome.errorCode == u"blocked")
        die(plan, reason::kTargetRefused, "none: the target is refused");
    else if (outcome.permanent)
        die(plan, reason::kPermanent, "none: trying again cannot help");
    else if (manual)
        goBack(plan, terms);
    else if (spent >= terms.budget)
        die(plan, reason::kRetriesUsedUp, "none: the retries are used up");
    if (plan.settlement.status == DeliveryStatus::Dead || manual)
        return plan;

    const RetryWait wait = scheduledWait(terms, spent, schedule, backoff, random);
    plan.settlement.status = DeliveryStatus::Failed;
    plan.settlement.reason = reason::kRetry;
    plan.settlement.sendClass = SendClass::Late;
    plan.settlement.dueAtMs = nowMs + wait.ms();
    plan.nextReason = retryWords(wait, spent, terms.budget);
    if (plan.pauseUntilMs && *plan.pauseUntilMs > *plan.settlement.dueAtMs) {
        plan.settlement.reason = reason::kRetryAfter;
        plan.settlement.dueAtMs = plan.pauseUntilMs;
        plan.nextReason = askedToWaitWords(*plan.pauseUntilMs - nowMs);
    }
    return plan;
}

DeliveryPlan planOffline(const HttpOutcome& outcome, const DeliveryTerms& terms, qint64 nowMs)
{
    if (terms.stopAsked) {
        DeliveryPlan plan;
        plan.attemptOutcome = u"failed"_s;
        plan.attemptError = errorOf(outcome);
        cancel(plan, outcome, terms);
        return plan;
    }
    DeliveryPlan plan = planAgain(outcome, terms, nowMs);
    plan.attemptOutcome = u"failed"_s;
    plan.nextReason = u"when the network is back: an attempt without one uses up no budget"_s;
    plan.settlement.reason = reason::kOffline;
    return plan;
}

void waitForTheBreaker(DeliveryPlan& plan, qint64 openUntilMs)
{
    const std::optional<qint64> dueAtMs = plan.settlement.dueAtMs;
    if (!dueAtMs || *dueAtMs >= openUntilMs)
        return;
    plan.nextAtMs = openUntilMs;
    plan.nextReason += u", "_s + breakerOpenWords(openUntilMs);
}

} // namespace redrive
