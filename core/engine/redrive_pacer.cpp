#include "core/engine/redrive_pacer.h"

#include "core/store/redrive_ledger_store.h"

#include <algorithm>

namespace redrive::redrive_pacer {

namespace {

void pause(RedriveRow& redrive, const QString& why)
{
    redrive.state = RedriveState::Paused;
    redrive.note = why;
}

Status brake(Cycle& cycle, RedriveRow& redrive)
{
    const int percent = redrive.asked.pace.brakePercent;
    if (percent <= 0)
        return {};
    REDRIVE_ASSIGN(last,
                   redrive_ledger_store::recent(cycle.db, redrive.no, redrive.continuedAtMs, kBrakeLooksAt));
    if (last.count >= kBrakeNeeds && last.failed * 100 >= percent * last.count)
        pause(redrive, u"the brake: %1 of the last %2 failed"_s.arg(last.failed).arg(last.count));
    return {};
}

// So many of the first ones are still to begin; nothing: their outcomes are waited for.
Result<std::optional<int>> canaryLeft(Cycle& cycle, RedriveRow& redrive, int waiting)
{
    const RedrivePace& pace = redrive.asked.pace;
    if (redrive.succeeded < pace.canary)
        return std::optional<int>(pace.canary - redrive.succeeded);
    if (waiting > 0)
        return std::optional<int>();
    REDRIVE_ASSIGN(bad, redrive_ledger_store::unsuccessful(cycle.db, redrive.no));
    const QString words = u"the canary: %1 of the first %2 did not succeed"_s.arg(bad).arg(redrive.succeeded);
    redrive.canaryPassed = bad == 0 || pace.afterCanary == CanaryEnd::GoOn;
    if (redrive.canaryPassed) {
        redrive.note = bad == 0 ? QString() : words;
    } else if (pace.afterCanary == CanaryEnd::Stop) {
        redrive.state = RedriveState::Stopped;
        redrive.note = words;
    } else {
        pause(redrive, words);
    }
    return std::optional<int>(redrive.total);
}

qint64 intervalUs(const RedrivePace& pace)
{
    return std::max<qint64>(1, qint64(1e6 / pace.perSecond));
}

// The rate's own clock: moved on where it has fallen behind, moved back where the wall clock was.
int dueByRate(RedriveRow& redrive, qint64 nowMs)
{
    const qint64 nowUs = nowMs * 1000;
    const qint64 interval = intervalUs(redrive.asked.pace);
    const qint64 next = std::clamp(redrive.nextAtUs.value_or(nowUs), nowUs - kCatchUpUs, nowUs + interval);
    redrive.nextAtUs = next;
    return next > nowUs ? 0 : int(std::min<qint64>((nowUs - next) / interval + 1, redrive.total));
}

} // namespace

Result<RedriveLeave> leaveOf(Cycle& cycle, RedriveRow& redrive, int most)
{
    const RedrivePace& pace = redrive.asked.pace;
    RedriveLeave leave;
    leave.items = most;
    if (!pace.isSet())
        return leave;
    REDRIVE_TRY(brake(cycle, redrive));
    if (redrive.state == RedriveState::Paused) {
        leave.items = 0;
        return leave;
    }
    const bool canary = pace.canary > 0 && !redrive.canaryPassed;
    const int inFlight = pace.inFlight > 0 ? pace.inFlight : pace.brakePercent > 0 ? kBrakeInFlight : 0;
    int waiting = 0;
    if (inFlight > 0 || canary) {
        REDRIVE_ASSIGN(count, redrive_ledger_store::waiting(cycle.db, redrive.no));
        waiting = count;
    }
    if (canary) {
        REDRIVE_ASSIGN(left, canaryLeft(cycle, redrive, waiting));
        leave.awaitsOutcomes = !left;
        leave.items = std::min(leave.items, left.value_or(0));
    }
    if (!redrive.isOpen() || redrive.state == RedriveState::Paused) {
        leave.items = 0;
        return leave;
    }
    if (inFlight > 0 && waiting >= inFlight)
        leave.awaitsOutcomes = true;
    if (inFlight > 0)
        leave.items = std::min(leave.items, std::max(0, inFlight - waiting));
    if (pace.perSecond > 0 && leave.items > 0)
        leave.items = std::min(leave.items, dueByRate(redrive, cycle.nowMs));
    return leave;
}

void charge(RedriveRow& redrive, int begun)
{
    if (redrive.asked.pace.perSecond > 0 && redrive.nextAtUs)
        redrive.nextAtUs = *redrive.nextAtUs + begun * intervalUs(redrive.asked.pace);
}

std::optional<qint64> waitMs(const RedriveRow& redrive, qint64 nowMs)
{
    if (redrive.asked.pace.perSecond <= 0 || !redrive.nextAtUs || *redrive.nextAtUs <= nowMs * 1000)
        return std::nullopt;
    return std::max(kGatherMs, (*redrive.nextAtUs - nowMs * 1000 + 999) / 1000);
}

std::optional<qint64> heldMs(const RedriveRow& redrive, qint64 nowMs)
{
    const qint64 leftMs = redrive.asked.heldUntilMs.value_or(nowMs) - nowMs;
    return redrive.settled() == 0 && leftMs > 0 && leftMs <= kLongestHoldMs ? std::optional(leftMs)
                                                                            : std::nullopt;
}

} // namespace redrive::redrive_pacer
