// Redrives: bulk actions with a pace, an outcome and a state of their own. Plain values; any thread.
#pragma once

#include <QString>

#include <optional>

namespace redrive {

enum class RedriveState { Requested, Running, Paused, Done, Stopped };

// Nothing of it begins any more; else it goes on, now or when it is continued.
constexpr bool isOver(RedriveState state)
{
    return state == RedriveState::Done || state == RedriveState::Stopped;
}

QString toText(RedriveState state); // requested, running, paused, done, stopped
std::optional<RedriveState> redriveStateFrom(QStringView text);

// What follows when not all of the first items succeeded.
enum class CanaryEnd {
    Ask, // it is paused: whoever continues it takes the failures as they are
    GoOn,
    Stop,
};

QString toText(CanaryEnd end); // ask, go-on, stop
std::optional<CanaryEnd> canaryEndFrom(QStringView text);

// How fast a redrive goes, and what ends it early. 0 is no limit.
struct RedrivePace
{
    static constexpr double kHighestRate = 1'000'000;
    static constexpr double kLowestRate = 0.001;
    static constexpr int kMostInFlight = 1'000'000;
    static constexpr int kMostCanary = 1'000;

    double perSecond = 0; // items that begin
    int inFlight = 0;     // begun and without an outcome, at once
    int brakePercent = 0; // 1–100: pauses it when so many of the last 50 outcomes are failures
    int canary = 0;       // so many first, and the rest only when all of them have succeeded
    CanaryEnd afterCanary = CanaryEnd::Ask;

    // It depends on time or on outcomes, so only an engine carries it out.
    bool isSet() const { return perSecond > 0 || inFlight > 0 || brakePercent > 0 || canary > 0; }
};

// So long at most may an action be held before it begins.
inline constexpr qint64 kLongestHoldMs = 60'000;

// What became of a redrive's items, from the real outcomes of what they did.
struct RedriveLedger
{
    int queued = 0; // not begun
    int waiting = 0;
    int running = 0; // being sent, or processing
    int succeeded = 0;
    int failedAgain = 0; // with the error it had before
    int failedAnew = 0;  // with another one
    int gone = 0;        // cancelled or deleted before there was an outcome
    int refused = 0;

    int failed() const { return failedAgain + failedAnew; }
};

// What a list shows of a redrive. Times are unix milliseconds.
struct RedriveInfo
{
    qint64 no = 0;
    QString verb;  // as stored
    QString scope; // in words
    QString actor;
    QString source;
    QString reason;
    RedriveState state = RedriveState::Requested;
    RedrivePace pace;
    bool canaryPassed = false;
    QString note; // why it is paused or was stopped
    int total = 0;
    int done = 0;              // items that are settled: begun or refused
    bool ofDeliveries = false; // its first item is one; else a job, a message or an event
    bool awaitsOutcomes = false;
    RedriveLedger ledger;
    qint64 createdAtMs = 0;
    std::optional<qint64> startedAtMs;
    std::optional<qint64> finishedAtMs;
    std::optional<qint64> heldUntilMs; // before which nothing of it begins
    std::optional<qint64> undoneAtMs;

    bool isOpen() const { return !isOver(state); }
    bool isHeld(qint64 nowMs) const
    {
        return state == RedriveState::Requested && heldUntilMs && *heldUntilMs > nowMs;
    }
};

enum class RedriveSteer {
    Pause,
    Continue, // what is held begins now
    Stop,
    Rate,
    Undo, // what has not begun never does; what it discarded comes back from the bin
};

QString toText(RedriveSteer steer); // pause, continue, stop, rate, undo
std::optional<RedriveSteer> redriveSteerFrom(QStringView text);

// What an operator asks of a redrive that is under way.
struct RedriveOrder
{
    qint64 no = 0;
    RedriveSteer steer = RedriveSteer::Pause;
    double perSecond = 0; // Rate; 0: no limit
    QString actor;
    QString source;
    QString reason;
};

} // namespace redrive
