#include "core/engine/control.h"

#include "core/base/log.h"
#include "core/db/checkpoint.h"
#include "core/db/transaction.h"

#include <algorithm>
#include <cstdlib>

namespace redrive {

namespace {

constexpr qint64 kLookEveryMs = 200;
constexpr qint64 kClockJumpMs = 1'000; // what the two clocks may drift apart between two looks
constexpr qint64 kShortestPauseMs = 50;
constexpr qint64 kLongestPauseMs = 1'000;
constexpr qint64 kCheckpointEveryMs = 1'000;
constexpr qint64 kCheckpointBytes = 16 * 1024 * 1024;

} // namespace

Control::Control(Connection& db, const Clock& clock, Feed& feed) : m_db(db), m_clock(clock), m_feed(feed) {}

Cycle Control::newCycle() const
{
    Cycle cycle(m_db);
    cycle.nowMs = m_clock.wallMs();
    cycle.steadyMs = m_clock.steadyMs();
    cycle.bootMs = m_clock.bootMs();
    cycle.instanceNo = m_instanceNo ? m_instanceNo() : 0;
    return cycle;
}

bool Control::turn()
{
    const qint64 steadyMs = m_clock.steadyMs();
    if (steadyMs < m_pausedUntilMs)
        return false;
    lookOutside();
    const qint64 nowMs = m_clock.wallMs();
    const bool anyWork = std::any_of(m_parts.begin(), m_parts.end(),
                                     [&](const CyclePart* part) { return part->hasWork(nowMs, steadyMs); });
    if (!anyWork) {
        m_feed.flush(steadyMs);
        return false;
    }

    Cycle cycle = newCycle();
    for (CyclePart* part : m_parts)
        part->turnBegins();
    if (const Status done = apply(cycle); !done) {
        failed(done.error());
        return false;
    }
    m_pauseMs = 0;
    {
        std::lock_guard lock(m_mutex);
        m_problem.reset();
    }
    for (const auto& followUp : cycle.afterCommit)
        followUp();
    m_feed.publish(cycle.changes);
    m_feed.flush(steadyMs);
    if (steadyMs >= m_nextCheckpointMs) {
        m_nextCheckpointMs = steadyMs + kCheckpointEveryMs;
        if (walBytes(m_db.target()) > kCheckpointBytes)
            checkpoint(false);
    }
    return true;
}

Status Control::apply(Cycle& cycle)
{
    REDRIVE_ASSIGN(transaction, Transaction::begin(m_db));
    for (CyclePart* part : m_parts)
        REDRIVE_TRY(part->apply(cycle));
    return transaction.commit();
}

void Control::failed(const Error& error)
{
    for (CyclePart* part : m_parts)
        part->rolledBack(error);
    m_pauseMs = std::clamp(m_pauseMs * 2, kShortestPauseMs, kLongestPauseMs);
    m_pausedUntilMs = m_clock.steadyMs() + m_pauseMs;
    std::lock_guard lock(m_mutex);
    if (!m_problem || m_problem->text() != error.text())
        logEvent(LogLevel::Error, "turn_rolled_back", {{"error", error.text()}});
    m_problem = error;
}

Status Control::once(const std::function<Status(Cycle&)>& work)
{
    Cycle cycle = newCycle();
    REDRIVE_ASSIGN(transaction, Transaction::begin(m_db));
    REDRIVE_TRY(work(cycle));
    REDRIVE_TRY(transaction.commit());
    for (const auto& followUp : cycle.afterCommit)
        followUp();
    m_feed.publish(cycle.changes);
    return {};
}

void Control::lookOutside()
{
    const qint64 steadyMs = m_clock.steadyMs();
    if (steadyMs < m_nextLookMs)
        return;
    m_nextLookMs = steadyMs + kLookEveryMs;
    const bool committed = foreignCommitSeen();
    if (committed) {
        ChangeSet changes;
        changes.everything = true;
        m_feed.publish(changes);
    }
    const bool jumped = clockJumpSeen();
    if ((committed || jumped) && m_outsideChange)
        m_outsideChange();
}

bool Control::foreignCommitSeen()
{
    const Result<qint64> version = foreignCommitMark(m_db);
    if (!version || *version == m_dataVersion)
        return false;
    const bool first = m_dataVersion < 0;
    m_dataVersion = *version;
    return !first;
}

bool Control::clockJumpSeen()
{
    const qint64 aheadMs = m_clock.wallMs() - m_clock.steadyMs();
    const qint64 beforeMs = m_wallAheadMs.value_or(aheadMs);
    const bool jumped = std::abs(aheadMs - beforeMs) > kClockJumpMs;
    if (jumped || !m_wallAheadMs)
        m_wallAheadMs = aheadMs;
    if (jumped)
        logEvent(LogLevel::Notice, "clock_jumped", {{"ms", QString::number(aheadMs - beforeMs)}});
    return jumped;
}

qint64 Control::nextDeadline() const
{
    qint64 next = m_nextLookMs;
    for (const CyclePart* part : m_parts)
        if (const auto deadline = part->nextDeadline())
            next = std::min(next, *deadline);
    if (const auto flush = m_feed.nextFlush())
        next = std::min(next, *flush);
    return std::max(next, m_pausedUntilMs);
}

void Control::checkpoint(bool truncate)
{
    if (const Status done = redrive::checkpoint(m_db, truncate); !done && !done.error().retryable())
        logEvent(LogLevel::Warning, "checkpoint_failed", {{"error", done.error().text()}});
}

std::optional<Error> Control::problem() const
{
    std::lock_guard lock(m_mutex);
    return m_problem;
}

} // namespace redrive
