// The control thread's turns: everything that the parts have to do becomes one transaction of the store's
// only writer, committed once (group commit); what follows from it happens after the commit. One thread;
// tests drive it by hand.
#pragma once

#include "core/base/clock.h"
#include "core/db/checkpoint.h"
#include "core/engine/store_keeper.h"
#include "core/feed/feed.h"
#include "core/store/cycle.h"

namespace redrive {

class Transaction;

class Control final
{
public:
    // `ballastBytes`: see core/db/ballast.h.
    Control(Connection& db, const Clock& clock, Feed& feed, qint64 ballastBytes = 0);

    // In the order in which they take part in a turn. Not owned.
    void addPart(CyclePart& part) { m_parts.push_back(&part); }
    void setInstanceNo(std::function<qint64()> instanceNo) { m_instanceNo = std::move(instanceNo); }
    // Called at the beginning of a turn when anything may have changed or become due: another process has
    // committed, the wall clock was set, the machine slept.
    void onOutsideChange(std::function<void()> callback) { m_outsideChange = std::move(callback); }

    // One turn, if any part has work. False when nothing was done or the turn was rolled back.
    bool turn();
    // One transaction outside the parts: the first and the last of an engine. Refused while the store must
    // not be written.
    Status once(const std::function<Status(Cycle&)>& work);
    // When turn() is to be called again, on the steady clock.
    qint64 nextDeadline() const;
    // Writes the log back into the database file, as far as readers let it.
    void checkpoint(CheckpointMode mode);

    // What is wrong with the store; problem(), notices() and watch() from any thread.
    StoreKeeper& store() { return m_store; }
    const StoreKeeper& store() const { return m_store; }

private:
    void lookOutside();
    bool foreignCommitSeen();
    bool clockJumpSeen();
    Cycle newCycle() const;
    bool anyWork(bool recordsOnly) const;
    void tellParts();
    Status apply(Cycle& cycle, Transaction transaction);
    void failed(const Error& error);
    void pause();
    void finish(Cycle& cycle);
    void checkpointIfDue(qint64 steadyMs);
    void truncateWhenIdle(qint64 steadyMs);

    Connection& m_db;
    const Clock& m_clock;
    Feed& m_feed;
    std::vector<CyclePart*> m_parts;
    std::function<qint64()> m_instanceNo;
    std::function<void()> m_outsideChange;
    qint64 m_dataVersion = -1;
    std::optional<qint64> m_wallAheadMs; // of the steady clock
    qint64 m_nextLookMs = 0;             // outside, steady
    qint64 m_pausedUntilMs = 0;          // after a turn that could not commit, steady
    qint64 m_pauseMs = 0;
    qint64 m_lastCheckpointMs = 0;
    qint64 m_lastCommitMs = 0;  // steady
    bool m_logMayBeLong = true; // since it was last emptied
    StoreKeeper m_store;
    bool m_refusing = false;         // the parts were told that the store cannot be written
    std::optional<Cycle> m_withheld; // committed to a file that was gone by then: nobody has heard of it
};

} // namespace redrive
