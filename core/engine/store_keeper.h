// What is wrong with the store, what may be done to it meanwhile, and when that is over. Control thread,
// except where noted.
//
//   busy        another process holds the lock: turns are tried again and again; shown after 3 s, refused
//   after 5 full        no space, or a limit: the ballast is given back; only what has happened already is
//   recorded unwritable  read-only, or errors of the disk: nothing is written but a probe every second gone
//   the file was moved, deleted or replaced: nothing is written until it is back halted      damaged, or not
//   this process's to write: nothing is written any more
#pragma once

#include "core/base/clock.h"
#include "core/db/ballast.h"
#include "core/db/connection.h"
#include "core/db/file_watch.h"

#include <QStringList>

#include <mutex>
#include <optional>

namespace redrive {

enum class StoreUse { Everything, Records, Nothing };

class StoreKeeper final
{
public:
    static constexpr qint64 kLookEveryMs = 500;
    static constexpr qint64 kProbeEveryMs = 1'000;
    static constexpr qint64 kLongestProbeMs = 8'000; // where the fault comes back again and again
    static constexpr qint64 kBusyShownMs = 3'000;
    static constexpr qint64 kBusyRefusedMs = 5'000;

    // After the store was opened. `ballastBytes`: see ballast.h.
    StoreKeeper(Connection& db, const Clock& clock, qint64 ballastBytes);

    // Before a turn: looks whether the file is there and a fault is over, as often as that is due.
    void look();
    // Looks at the file now: before a turn, and before anybody is told of its commit.
    Status checkFile();
    // A turn could not begin or commit. Returns the error in words for people.
    Error turnFailed(const Error& error);
    void turnWorked();
    // Nothing is written any more, for this reason.
    void halt(const Error& why);

    StoreUse use() const;
    // An empty turn is wanted too, to see whether the lock is free.
    bool wantsTurn() const { return m_fault == Fault::Busy; }
    // What those who wait for the store are to hear.
    const std::optional<Error>& refusal() const { return m_refusal; }
    qint64 nextLookMs() const { return m_nextLookMs; } // steady

    // Any thread.
    const FileWatch& watch() const { return m_watch; }
    std::optional<Error> problem() const; // for people
    QStringList notices() const;          // not a problem, and worth knowing

private:
    enum class Fault { None, Busy, Full, Unwritable, Gone, Halted };

    void enter(Fault fault, Error error);
    void over();
    void probe();
    void keepBallast();
    bool mayWrite();
    void show(std::optional<Error> problem);
    bool isAgain(qint64 steadyMs) const;

    Connection& m_db;
    const Clock& m_clock;
    FileWatch m_watch;
    Ballast m_ballast;
    Fault m_fault = Fault::None;
    std::optional<Error> m_refusal;
    std::optional<qint64> m_busySinceMs; // steady, as are the others
    qint64 m_nextLookMs = 0;
    qint64 m_nextProbeMs = 0;
    qint64 m_probeEveryMs = kProbeEveryMs;
    std::optional<qint64> m_overAtMs; // the end of the last fault

    mutable std::mutex m_mutex; // guards the rest
    std::optional<Error> m_problem;
    QStringList m_notices;
};

} // namespace redrive
