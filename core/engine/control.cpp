#include "core/engine/control.h"

#include "core/base/log.h"
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
constexpr qint64 kLongLogBytes = 40 * 1024 * 1024; // from here on readers are waited for
constexpr qint64 kLongEveryMs = 100;
constexpr qint64 kIdleMs = 2'000;
constexpr qint64 kIdleLogBytes = 4 * 1024 * 1024;

} // namespace

Control::Control(Connection& db, const Clock& clock, Feed& feed, qint64 ballastBytes)
    : m_db(db), m_clock(clock), m_feed(feed), m_store(db, clock, ballastBytes)
{
}

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
    m_store.look();
    (void)m_store.checkFile();
    tellParts();
    if (m_store.use() == StoreUse::Nothing) {
        m_feed.flush(steadyMs);
        return false;
    }
    if (m_withheld) {
        Cycle withheld = *std::move(m_withheld);
        m_withheld.reset();
        finish(withheld);
    }
    lookOutside();
    const bool recordsOnly = m_store.use() == StoreUse::Records;
    if (!anyWork(recordsOnly) && !m_store.wantsTurn()) {
        m_feed.flush(steadyMs);
        truncateWhenIdle(steadyMs);
        return false;
    }

    auto transaction = Transaction::begin(m_db);
    if (!transaction) { // as if no turn had been tried
        (void)m_store.turnFailed(transaction.error());
        pause();
        return false;
    }
    Cycle cycle = newCycle();
    cycle.recordsOnly = recordsOnly;
    for (CyclePart* part : m_parts)
        part->turnBegins();
    if (const Status done = apply(cycle, *std::move(transaction)); !done) {
        failed(done.error());
        return false;
    }
    m_pauseMs = 0;
    m_lastCommitMs = steadyMs;
    m_logMayBeLong = true;
    if (!m_store.checkFile()) {
        m_withheld.emplace(std::move(cycle));
        return false;
    }
    m_store.turnWorked();
    finish(cycle);
    checkpointIfDue(steadyMs);
    return true;
}

bool Control::anyWork(bool recordsOnly) const
{
    const qint64 nowMs = m_clock.wallMs();
    const qint64 steadyMs = m_clock.steadyMs();
    return std::any_of(m_parts.begin(), m_parts.end(), [&](const CyclePart* part) {
        return recordsOnly ? part->hasRecords(steadyMs) : part->hasWork(nowMs, steadyMs);
    });
}

// Those who wait for a store that cannot be written hear why; when it can again, everything is looked at
// anew.
void Control::tellParts()
{
    const bool refusing = m_store.refusal().has_value();
    if (!refusing && !m_refusing)
        return;
    for (CyclePart* part : m_parts)
        part->storeRefuses(m_store.refusal());
    if (!refusing && m_outsideChange)
        m_outsideChange();
    m_refusing = refusing;
}

Status Control::apply(Cycle& cycle, Transaction transaction)
{
    for (CyclePart* part : m_parts)
        if (!cycle.recordsOnly || part->hasRecords(cycle.steadyMs))
            REDRIVE_TRY(part->apply(cycle));
    return transaction.commit();
}

void Control::failed(const Error& error)
{
    const Error described = m_store.turnFailed(error);
    for (CyclePart* part : m_parts)
        part->rolledBack(described);
    pause();
}

void Control::pause()
{
    m_pauseMs = std::clamp(m_pauseMs * 2, kShortestPauseMs, kLongestPauseMs);
    if (m_store.wantsTurn()) // it has waited in the attempt
        m_pauseMs = kShortestPauseMs;
    m_pausedUntilMs = m_clock.steadyMs() + m_pauseMs;
}

void Control::finish(Cycle& cycle)
{
    for (const auto& followUp : cycle.afterCommit)
        followUp();
    m_feed.publish(cycle.changes);
    m_feed.flush(m_clock.steadyMs());
}

void Control::checkpointIfDue(qint64 steadyMs)
{
    const qint64 bytes = m_db.logBytes();
    const bool isLong = bytes > kLongLogBytes;
    if (bytes <= kCheckpointBytes ||
        steadyMs < m_lastCheckpointMs + (isLong ? kLongEveryMs : kCheckpointEveryMs))
        return;
    m_lastCheckpointMs = steadyMs;
    checkpoint(isLong ? CheckpointMode::Restart : CheckpointMode::Passive);
}

void Control::truncateWhenIdle(qint64 steadyMs)
{
    if (!m_logMayBeLong || steadyMs < m_lastCommitMs + kIdleMs)
        return;
    m_logMayBeLong = false;
    if (walBytes(m_db.target()) > kIdleLogBytes)
        checkpoint(CheckpointMode::Truncate);
}

Status Control::once(const std::function<Status(Cycle&)>& work)
{
    if (m_store.use() == StoreUse::Nothing)
        return fail(*m_store.refusal());
    Cycle cycle = newCycle();
    {
        REDRIVE_ASSIGN(transaction, Transaction::begin(m_db));
        REDRIVE_TRY(work(cycle));
        REDRIVE_TRY(transaction.commit());
    }
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
    qint64 next = std::min(m_nextLookMs, m_store.nextLookMs());
    if (m_store.use() != StoreUse::Everything)
        next = m_store.nextLookMs();
    else
        for (const CyclePart* part : m_parts)
            if (const auto deadline = part->nextDeadline())
                next = std::min(next, *deadline);
    if (const auto flush = m_feed.nextFlush())
        next = std::min(next, *flush);
    return std::max(next, m_pausedUntilMs);
}

void Control::checkpoint(CheckpointMode mode)
{
    if (m_store.use() == StoreUse::Nothing)
        return;
    if (const Status done = redrive::checkpoint(m_db, mode); !done && !done.error().retryable())
        logEvent(LogLevel::Warning, "checkpoint_failed", {{"error", done.error().text()}});
}

} // namespace redrive
