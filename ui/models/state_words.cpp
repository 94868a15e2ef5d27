#include "ui/models/state_words.h"

#include "core/domain/reason.h"
#include "ui/models/format.h"

#include <QCoreApplication>

namespace redrive {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(states)
};

constexpr int kLongestCell = 300;

StateWord waiting(const QString& code, bool hasDueTime)
{
    if (code == reason::kDelayed)
        return {u"pending"_s, Words::tr("Delayed")};
    if (hasDueTime)
        return {u"retrying"_s, Words::tr("Retrying")};
    return {u"pending"_s, Words::tr("Pending")};
}

} // namespace

StateWord stateOf(const JobRow& row)
{
    if (!row.otherStatus.isEmpty())
        return {u"unknown"_s, cellText(row.otherStatus)};
    switch (row.status) {
    case JobStatus::Pending:
        return waiting(row.reason, row.dueAtMs.has_value());
    case JobStatus::Processing:
        return {u"processing"_s, Words::tr("Processing")};
    case JobStatus::Done:
        return {u"done"_s, Words::tr("Done")};
    case JobStatus::Dead:
        return row.discarded ? StateWord{u"cancelled"_s, Words::tr("Discarded")}
                             : StateWord{u"dead"_s, Words::tr("Dead")};
    case JobStatus::Cancelled:
        break;
    }
    return {u"cancelled"_s, Words::tr("Cancelled")};
}

StateWord stateOf(const TimerRow& row)
{
    return waiting(row.reason, true);
}

StateWord stateOf(const LetterRow& row)
{
    switch (row.state) {
    case LetterState::Open:
        return {u"dead"_s, reasonWord(row.reason)};
    case LetterState::Requeued:
        return {u"pending"_s, Words::tr("Requeued")};
    case LetterState::Discarded:
        break;
    }
    return {u"cancelled"_s, Words::tr("Discarded")};
}

StateWord stateOf(const DeliveryRow& row)
{
    if (!row.otherStatus.isEmpty())
        return {u"unknown"_s, cellText(row.otherStatus)};
    switch (row.status) {
    case DeliveryStatus::Pending:
        return {u"pending"_s, Words::tr("Pending")};
    case DeliveryStatus::Sending:
        return {u"sending"_s, Words::tr("Sending")};
    case DeliveryStatus::Delivered:
        return {u"delivered"_s, Words::tr("Delivered")};
    case DeliveryStatus::Failed:
        return row.dueAtMs ? StateWord{u"retrying"_s, Words::tr("Retrying")}
                           : StateWord{u"failed"_s, Words::tr("Failed")};
    case DeliveryStatus::Held:
        return {u"held"_s, Words::tr("Held")};
    case DeliveryStatus::Dead:
        return row.discarded ? StateWord{u"cancelled"_s, Words::tr("Discarded")}
                             : StateWord{u"dead"_s, Words::tr("Dead")};
    case DeliveryStatus::Cancelled:
        break;
    }
    return {u"cancelled"_s, Words::tr("Cancelled")};
}

StateWord stateOf(const ActivityRow& row)
{
    const QString state = row.state();
    if (state == u"failed")
        return {u"failed"_s, Words::tr("Not sent")};
    if (state == u"retrying")
        return {u"retrying"_s, Words::tr("Retrying")};
    if (state == u"waiting")
        return {u"pending"_s, Words::tr("Waiting")};
    if (state == u"sent")
        return {u"delivered"_s, Words::tr("Sent")};
    return row.isAlert ? StateWord{u"held"_s, Words::tr("Shown")} : StateWord{u"done"_s, Words::tr("Done")};
}

StateWord stateOf(const TelemetryRow&)
{
    return {};
}

StateWord stateOf(const RowValue& row)
{
    return std::visit([](const auto& value) { return stateOf(value); }, row);
}

StateWord stateOfOutcome(const QString& outcome)
{
    if (outcome == u"done")
        return {u"done"_s, Words::tr("Done")};
    if (outcome == u"delivered")
        return {u"delivered"_s, Words::tr("Delivered")};
    if (outcome == u"failed")
        return {u"failed"_s, Words::tr("Failed")};
    if (outcome == u"permanent")
        return {u"failed"_s, Words::tr("Failed permanently")};
    if (outcome == u"timed_out")
        return {u"failed"_s, Words::tr("Time limit reached")};
    if (outcome == u"crashed")
        return {u"failed"_s, Words::tr("Crashed")};
    if (outcome == u"interrupted")
        return {u"unknown"_s, Words::tr("Interrupted")};
    if (outcome == u"cancelled")
        return {u"cancelled"_s, Words::tr("Cancelled")};
    if (outcome.isEmpty() || outcome == u"running")
        return {u"processing"_s, Words::tr("Running")};
    return {u"unknown"_s, cellText(outcome)};
}

QString reasonWord(const QString& code)
{
    if (code == reason::kRetry)
        return Words::tr("Retry");
    if (code == reason::kDelayed)
        return Words::tr("Delayed");
    if (code == reason::kRetriesUsedUp)
        return Words::tr("Retries used up");
    if (code == reason::kPermanent)
        return Words::tr("Permanent");
    if (code == reason::kUnknownType)
        return Words::tr("Unknown type");
    if (code == reason::kRefusedPayload)
        return Words::tr("Payload refused");
    if (code == reason::kCrashed)
        return Words::tr("Crashed");
    if (code == reason::kMissingRow)
        return Words::tr("Job row missing");
    if (code == reason::kNoHandler)
        return Words::tr("No handler");
    if (code == reason::kNoLetterKept)
        return Words::tr("No letter kept");
    if (code == reason::kTargetRefused)
        return Words::tr("Target refused");
    if (code == reason::kGone)
        return Words::tr("Endpoint gone");
    if (code == reason::kEndpointPaused)
        return Words::tr("Endpoint paused");
    if (code == reason::kRetryAfter)
        return Words::tr("Asked to wait");
    if (code == reason::kOffline)
        return Words::tr("No network");
    if (code == reason::kInterrupted)
        return Words::tr("Interrupted");
    if (code == reason::kRequeued)
        return Words::tr("Requeued");
    if (code == reason::kCancelled)
        return Words::tr("Cancelled");
    if (code == reason::kSuperseded)
        return Words::tr("Edited");
    if (code == reason::kRescued)
        return Words::tr("Rescued");
    if (code == reason::kPurged)
        return Words::tr("Purged");
    if (code == reason::kExpired)
        return Words::tr("Expired");
    return code.isEmpty() ? Words::tr("Dead") : cellText(code);
}

QString attemptText(int attempts, int limit)
{
    if (attempts <= 0)
        return limit > 0 ? u"0/%1"_s.arg(limit) : format::unknown();
    return limit > 0 ? u"%1/%2"_s.arg(attempts).arg(limit) : format::number(qint64(attempts));
}

QString cellText(const QString& text)
{
    return format::firstLine(text).left(kLongestCell);
}

} // namespace redrive
