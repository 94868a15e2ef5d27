// Archives letters that leave the store and copies the files to a bucket, on a thread and with connections of
// its own: what is written to files and sent happens here, a turn of the control thread only takes out of the
// store what stands in them. start(), stop() from the thread that owns it; the rest from any thread.
#pragma once

#include "core/base/task_loop.h"
#include "core/deadletter/archive_round.h"
#include "core/net/target_guard.h"

#include <atomic>

namespace redrive {

class Archiver final
{
public:
    static constexpr qint64 kFirstAfterMs = 5'000; // after the start
    static constexpr qint64 kEveryMs = 60'000;
    static constexpr qint64 kAgainMs = 10'000;                 // after a failure
    static constexpr qint64 kNextMs = 10;                      // when more waits
    static constexpr qint64 kLongestUploadPauseMs = 3'600'000; // doubled from kEveryMs after failures

    struct Problems
    {
        QString archive; // why letters cannot be archived; empty: they can, as far as is known
        QString upload;  // why files are not copied
    };

    // `settings` outlives it; without an archive in them it does nothing.
    Archiver(Clock& clock, DatabaseTarget database, const Settings& settings, TargetGuard guard);
    ~Archiver() { stop(); }
    Archiver(const Archiver&) = delete;
    Archiver& operator=(const Archiver&) = delete;

    void start(StoreTurn turn);
    // A turn that is being waited for is waited for no longer. Idempotent.
    void stop();
    bool isStopping() const { return m_stopping; }

    Problems problems() const;

private:
    std::optional<qint64> cycle();
    qint64 round(); // and how long until the next one
    Result<ArchiveRound::Report> archive();
    void upload();
    Result<int> copyToBucket();
    void tell(QString& problem, const char* event, const Error* error);

    Clock& m_clock;
    DatabaseTarget m_database;
    const Settings& m_settings;
    TargetGuard m_guard;
    std::atomic<bool> m_stopping = false;
    StoreTurn m_turn;
    qint64 m_nextAtMs = 0; // steady; these are its thread's own
    qint64 m_nextUploadAtMs = 0;
    qint64 m_uploadPauseMs = kEveryMs;

    mutable std::mutex m_mutex; // guards m_problems
    Problems m_problems;
    TaskLoop m_loop; // last, so that its thread ends first
};

} // namespace redrive
