// One turn of the control thread: everything that happens in it is one transaction of the store's only
// writer. Parts read and change the store through `db`, leave follow-ups for after the commit, and change
// their own memory only there: a turn that cannot commit is as if it had not been. Control thread (or a
// command-line process alone).
#pragma once

#include "core/db/connection.h"
#include "core/domain/change_set.h"

#include <QSet>

#include <functional>
#include <optional>
#include <vector>

namespace redrive {

struct Cycle
{
    explicit Cycle(Connection& connection) : db(connection) {}

    Connection& db;
    qint64 nowMs = 0; // wall clock of the whole turn
    qint64 steadyMs = 0;
    qint64 bootMs = 0;
    qint64 instanceNo = 0;    // of this engine; 0 in a command-line process
    bool recordsOnly = false; // the disk is full: only what has already happened is written

    ChangeSet changes;
    QSet<QString> queuesToLook;                     // queues that got, or may have got, something to deliver
    bool lookAtDeliveries = false;                  // the same for webhook deliveries
    bool endpointsChanged = false;                  // what is known of them is of before this turn
    bool stopsAsked = false;                        // something that runs was asked to stop
    bool outcomesNoted = false;                     // something that a redrive began has ended
    std::vector<std::function<void()>> afterCommit; // run in order, outside the transaction

    qint64 nowSeconds() const { return nowMs / 1000; }
};

// A component that takes part in the turns of the control thread.
class CyclePart
{
public:
    virtual ~CyclePart() = default;

    // Before every turn in which any part has work: the state to go back to when the turn cannot commit.
    virtual void turnBegins() {}
    // Whether apply() has anything to do now. A turn in which no part has work opens no transaction.
    virtual bool hasWork(qint64 nowMs, qint64 steadyMs) const = 0;
    // Inside the transaction. An error rolls the turn back; the part must be able to do the same work again.
    virtual Status apply(Cycle& cycle) = 0;
    // Whether something has happened that must be recorded although the store is short of space: a part that
    // says so takes part in a turn that is recordsOnly.
    virtual bool hasRecords(qint64 /*steadyMs*/) const { return false; }
    // The store cannot be written, and why; nothing: it can again. A part that people wait for answers them.
    // Before the turns, again and again.
    virtual void storeRefuses(const std::optional<Error>&) {}
    // Called instead of the follow-ups when the turn was rolled back.
    virtual void rolledBack(const Error&) {}
    // When this part next has work by itself, on the steady clock (ms).
    virtual std::optional<qint64> nextDeadline() const = 0;
};

} // namespace redrive
