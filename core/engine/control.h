// The control thread's turns: everything that the parts have to do becomes one transaction of the store's
// only writer, committed once (group commit); what follows from it happens after the commit. One thread;
// tests drive it by hand.
#pragma once

#include "core/base/clock.h"
#include "core/feed/feed.h"
#include "core/store/cycle.h"

#include <mutex>

namespace redrive {

class Control final
{
public:
    Control(Connection& db, const Clock& clock, Feed& feed);

    // In the order in which they take part in a turn. Not owned.
    void addPart(CyclePart& part) { m_parts.push_back(&part); }
    void setInstanceNo(std::function<qint64()> instanceNo) { m_instanceNo = std::move(instanceNo); }
    // Called at the beginning of a turn when anything may have changed or become due: another process has
    // committed, the wall clock was set, the machine slept.
    void onOutsideChange(std::function<void()> callback) { m_outsideChange = std::move(callback); }

    // One turn, if any part has work. False when nothing was done or the turn was rolled back.
    bool turn();
    // One transaction outside the parts: the first and the last of an engine.
    Status once(const std::function<Status(Cycle&)>& work);
    // When turn() is to be called again, on the steady clock.
    qint64 nextDeadline() const;
    // Writes the log back into the database file, as far as readers let it.
    void checkpoint(bool truncate);

    // The error that keeps turns from committing, if any. Any thread.
    std::optional<Error> problem() const;

private:
    void lookOutside();
    bool foreignCommitSeen();
    bool clockJumpSeen();
    Cycle newCycle() const;
    Status apply(Cycle& cycle);
    void failed(const Error& error);

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
    qint64 m_nextCheckpointMs = 0;

    mutable std::mutex m_mutex; // guards m_problem
    std::optional<Error> m_problem;
};

} // namespace redrive
