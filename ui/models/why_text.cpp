#include "ui/models/why_text.h"
#include "ui/models/activity_words.h"

#include "core/domain/reason.h"
#include "ui/models/state_words.h"

#include <QCoreApplication>

namespace redrive {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(why)
};

QString timeLeft(qint64 dueAtMs, const WhyContext& context)
{
    const qint64 left = dueAtMs - context.nowMs;
    return left > 0 ? Words::tr("%1 left").arg(format::duration(left)) : Words::tr("due");
}

QString attemptOf(int attempts, int limit)
{
    return limit > 0 ? Words::tr("attempt %1 of %2").arg(attempts).arg(limit)
                     : Words::tr("attempt %1").arg(attempts);
}

// Why something waits for a due time.
QString timerSentence(const QString& code, qint64 dueAtMs, const WhyContext& context)
{
    const auto left = timeLeft(dueAtMs, context);
    if (code == reason::kDelayed)
        return Words::tr("Waiting: sent with a delay, %1.").arg(left);
    if (code == reason::kRetryAfter)
        return Words::tr("Waiting: the endpoint asked for a pause, %1.").arg(left);
    if (code == reason::kInterrupted)
        return Words::tr("Waiting: the engine ended during the last attempt; tried again, %1.").arg(left);
    if (code == reason::kOffline)
        return Words::tr("Waiting: the network could not be reached; sent when it is back, at no cost.");
    return Words::tr("Waiting: retry timer, %1.").arg(left);
}

// Why a delivery that is due, or soon, waits for its endpoint; empty: it does not.
QString endpointSentence(const QString& endpointId, std::optional<qint64> breakerUntilMs,
                         std::optional<qint64> pausedUntilMs, qint64 dueAtMs, const WhyContext& context)
{
    const auto until = [&](qint64 ms) { return format::clockTime(ms, context.zone, context.nowMs); };
    if (breakerUntilMs && dueAtMs <= std::max(*breakerUntilMs, context.nowMs))
        return *breakerUntilMs > context.nowMs
                   ? Words::tr("Waiting: endpoint %1 breaker open, probes %2.")
                         .arg(cellText(endpointId), until(*breakerUntilMs))
                   : Words::tr("Waiting: endpoint %1 breaker open, a probe is next or under way.")
                         .arg(cellText(endpointId));
    if (pausedUntilMs && *pausedUntilMs > context.nowMs && dueAtMs < *pausedUntilMs)
        return Words::tr("Waiting: endpoint %1 asked for a pause until %2.")
            .arg(cellText(endpointId), until(*pausedUntilMs));
    return {};
}

QString queueSentence(const WhyContext& context)
{
    if (!context.queue)
        return {};
    if (context.queue->paused)
        return Words::tr("Waiting: %1").arg(pauseText(*context.queue, context));
    if (!context.queue->hasConsumer || context.queue->noHandler)
        return Words::tr("No live consumer for this queue.");
    return {};
}

QString pendingSentence(const JobRow& row, const WhyContext& context)
{
    if (const auto sentence = queueSentence(context); !sentence.isEmpty())
        return sentence;
    if (row.dueAtMs)
        return timerSentence(row.reason, *row.dueAtMs, context);
    if (row.reason == reason::kNoHandler)
        return Words::tr("Waiting: nothing handles jobs of this type.");
    if (row.reason == reason::kRequeued && row.run == 1 && !row.parentId.isEmpty())
        return Words::tr("Waiting: edited version of %1, begins when a worker is free.")
            .arg(format::shortId(row.parentId));
    if (row.reason == reason::kRequeued)
        return Words::tr("Waiting: requeued, run %1 begins when a worker is free.").arg(row.run);
    if (row.reason == reason::kRescued)
        return Words::tr("Waiting: put back by the sweep; runs when a worker is free.");
    if (row.reason == reason::kCrashed || row.reason == reason::kInterrupted)
        return Words::tr("Waiting: the engine ended during the last attempt; runs when a worker is free.");
    return Words::tr("Waiting for a free worker.");
}

// Crashes spend no retry, so they are told apart from the failures.
QString failedSentence(int attempts, int limit, int crashes = 0)
{
    return crashes > 0 ? Words::tr("%1 of %2 attempts failed, %3 crashed.")
                             .arg(attempts - crashes)
                             .arg(limit - crashes)
                             .arg(crashes)
                       : Words::tr("%1 of %2 attempts failed.").arg(attempts).arg(limit);
}

// The end of something dead, by its reason.
QString deadSentence(const QString& code, int attempts, int limit, int crashes = 0)
{
    if (code == reason::kRetriesUsedUp)
        return limit > 0 ? Words::tr("Retries used up: %1").arg(failedSentence(attempts, limit, crashes))
                         : Words::tr("Retries used up after %n attempt(s).", nullptr, attempts);
    if (code == reason::kPermanent)
        return Words::tr("Failed permanently at %1: trying again would change nothing.")
            .arg(attemptOf(attempts, limit));
    if (code == reason::kUnknownType)
        return Words::tr("No handler is registered for jobs of this type.");
    if (code == reason::kRefusedPayload)
        return Words::tr("The handler refused the payload.");
    if (code == reason::kCrashed)
        return Words::tr("Three engines ended while this ran.");
    if (code == reason::kMissingRow)
        return Words::tr("The message names a job whose row is gone.");
    if (code == reason::kNoLetterKept)
        return Words::tr("Retries used up, and its queue has no dead-letter queue.");
    if (code == reason::kExpired)
        return Words::tr("Its message was older than its queue keeps them; it was not delivered.");
    if (code == reason::kTargetRefused)
        return Words::tr("The target address is not allowed; nothing was sent.");
    if (code == reason::kGone)
        return Words::tr("The endpoint answered 410 Gone and was disabled.");
    return reasonWord(code) + u'.';
}

QString doneSentence(const JobRow& row)
{
    if (row.deliveries == 0 && row.type == u"webhook_fanout")
        return Words::tr("Done without deliveries: its result says whom the event was for.");
    if (row.deliveries == 0)
        return row.attempts > 1 ? Words::tr("Done at attempt %1.").arg(row.attempts)
                                : Words::tr("Done at the first attempt.");
    const int delivered = row.deliveries - row.deliveriesOpen - row.deliveriesDead;
    auto sentence =
        Words::tr("Done: %1 of %2 endpoints delivered").arg(qMax(0, delivered)).arg(row.deliveries);
    if (row.deliveriesOpen > 0)
        sentence += Words::tr(", %1 under way").arg(row.deliveriesOpen);
    if (row.deliveriesDead > 0)
        sentence += Words::tr(", %1 dead").arg(row.deliveriesDead);
    return sentence + u'.';
}

} // namespace

QString pauseText(const QueueStats& queue, const WhyContext& context)
{
    if (!queue.paused)
        return {};
    const auto since = format::clockTime(queue.pausedAtMs, context.zone, context.nowMs);
    const auto name = cellText(queue.name);
    return queue.pausedBy.isEmpty()
               ? Words::tr("queue %1 is paused since %2.").arg(name, since)
               : Words::tr("queue %1 is paused by %2 since %3.").arg(name, cellText(queue.pausedBy), since);
}

QString whyText(const JobRow& row, const WhyContext& context)
{
    switch (row.status) {
    case JobStatus::Pending:
        return pendingSentence(row, context);
    case JobStatus::Processing:
        return Words::tr("Running for %1, %2.")
            .arg(format::duration(context.nowMs - row.updatedAtMs), attemptOf(row.attempts, row.maxAttempts));
    case JobStatus::Done:
        return doneSentence(row);
    case JobStatus::Dead: {
        auto sentence = deadSentence(row.reason, row.attempts, row.maxAttempts, row.crashes);
        if (row.discarded)
            sentence += u' ' + Words::tr("Discarded: it is in the bin.");
        return sentence;
    }
    case JobStatus::Cancelled:
        break;
    }
    if (row.reason == reason::kPurged)
        return Words::tr("Cancelled: its queue was purged before it ran.");
    if (row.reason == reason::kSuperseded)
        return Words::tr("Edited: %1 took its place.").arg(format::shortId(row.supersededBy));
    return Words::tr("Cancelled: it does not run any more.");
}

QString whyText(const TimerRow& row, const WhyContext& context)
{
    if (const auto sentence = row.isDelivery ? QString() : queueSentence(context); !sentence.isEmpty())
        return sentence;
    auto timer = row.isDelivery
                     ? endpointSentence(row.endpointId, row.breakerUntilMs, {}, row.dueAtMs, context)
                     : QString();
    if (timer.isEmpty())
        timer = timerSentence(row.reason, row.dueAtMs, context);
    if (row.attempts == 0)
        return timer;
    return timer + u' ' +
           (row.maxAttempts > 0 ? failedSentence(row.attempts, row.maxAttempts)
                                : Words::tr("%n attempt(s) failed.", nullptr, row.attempts));
}

QString whyText(const LetterRow& row, const WhyContext& context)
{
    const auto when = format::clockTime(row.changedAtMs, context.zone, context.nowMs);
    if (row.state == LetterState::Requeued && !row.supersededBy.isEmpty())
        return Words::tr("Edited at %1: %2 took its place.").arg(when, format::shortId(row.supersededBy));
    if (row.state == LetterState::Requeued)
        return Words::tr("Requeued at %1: no longer a dead letter.").arg(when);
    const auto sentence = deadSentence(row.reason, row.attempts, row.maxAttempts);
    if (row.state == LetterState::Discarded)
        return sentence + u' ' + Words::tr("Discarded at %1; the bin keeps it 7 days.").arg(when);
    return sentence;
}

QString whyText(const DeliveryRow& row, const WhyContext& context)
{
    const auto endpoint = row.dueAtMs ? endpointSentence(row.endpointId, row.breakerUntilMs,
                                                         row.pausedUntilMs, *row.dueAtMs, context)
                                      : QString();
    switch (row.status) {
    case DeliveryStatus::Pending:
        if (!endpoint.isEmpty())
            return endpoint;
        return row.dueAtMs ? timerSentence(row.reason, *row.dueAtMs, context)
                           : Words::tr("Waiting for a free place at its endpoint.");
    case DeliveryStatus::Sending:
        return Words::tr("Sending: attempt %1.").arg(row.attempts);
    case DeliveryStatus::Delivered:
        return row.attempts > 1 ? Words::tr("Delivered at attempt %1.").arg(row.attempts)
                                : Words::tr("Delivered at the first attempt.");
    case DeliveryStatus::Failed:
        if (!row.dueAtMs)
            return Words::tr("The last attempt failed.");
        return (endpoint.isEmpty() ? timerSentence(row.reason, *row.dueAtMs, context) : endpoint) + u' ' +
               Words::tr("%1 of %2 attempts failed.").arg(row.spent).arg(row.budget);
    case DeliveryStatus::Held:
        return row.reason == reason::kGone
                   ? Words::tr("Held: the endpoint answered 410 Gone and was disabled.")
                   : Words::tr("Held: the endpoint is paused. Held time costs no retries.");
    case DeliveryStatus::Dead: {
        auto sentence = deadSentence(row.reason, row.spent, row.budget);
        if (row.discarded)
            sentence += u' ' + Words::tr("Discarded: it is in the bin.");
        return sentence;
    }
    case DeliveryStatus::Cancelled:
        break;
    }
    return Words::tr("Cancelled: it is not sent any more.");
}

QString whyText(const ActivityRow& row, const WhyContext&)
{
    return activitySentence(row);
}

QString whyText(const TelemetryRow&, const WhyContext&)
{
    return {};
}

QString whyText(const RowValue& row, const WhyContext& context)
{
    return std::visit([&](const auto& value) { return whyText(value, context); }, row);
}

} // namespace redrive
