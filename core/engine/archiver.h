// Archives letters that leave the store and copies the files to a bucket, on a thread and with connections of
// its own: what is written to files and sent happens here, a turn of the control thread only takes out of the
// store what stands in them. start(), stop() from the thread that owns it; the rest from any thread, answers
// come on threads of its own.
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

    template <typename T>
    using Answer = std::function<void(Result<T>)>;

    // `settings` outlives it; without an archive in them it does nothing.
    Archiver(Clock& clock, DatabaseTarget database, const Settings& settings, TargetGuard guard);
    ~Archiver() { stop(); }
    Archiver(const Archiver&) = delete;
    Archiver& operator=(const Archiver&) = delete;

    // `byItself`: not only when it is told to.
    void start(StoreTurn turn, bool byItself);
    // A turn that is being waited for is waited for no longer. Idempotent.
    void stop();
    bool isStopping() const { return m_stopping; }

    ArchiveHealth health() const;
    // What stands there; without an archive the empty one.
    void state(Answer<ArchiveState> answer);
    // What it would do by itself later. Refused without an archive, or a bucket; Busy: another process works
    // in the folder.
    void doNow(ArchiveTask task, Answer<ArchiveTaskDone> answer);

private:
    std::optional<qint64> cycle();
    qint64 round(); // and how long until the next one
    Result<ArchiveRound::Report> archive();
    void upload();
    Result<int> copyToBucket(bool all);
    Result<ArchiveTaskDone> perform(ArchiveTask task);
    Result<ArchiveTaskDone> writeAllDue();
    void tell(std::optional<ArchiveProblem>& problem, const char* event, const Error* error);

    Clock& m_clock;
    DatabaseTarget m_database;
    const Settings& m_settings;
    TargetGuard m_guard;
    std::atomic<bool> m_stopping = false;
    std::atomic<bool> m_started = false;
    StoreTurn m_turn;
    bool m_byItself = false;
    qint64 m_nextAtMs = 0; // steady; these are its thread's own
    qint64 m_nextUploadAtMs = 0;
    qint64 m_uploadPauseMs = kEveryMs;

    mutable std::mutex m_mutex; // guards m_health
    ArchiveHealth m_health;
    TaskLoop m_desk; // answers state(), so that a long upload keeps nobody waiting
    TaskLoop m_loop; // last, so that its thread ends first
};

} // namespace redrive
