// Takes jobs in: many requests share one commit, and each is answered after it. enqueue() from any thread.
#pragma once

#include "core/config/settings.h"
#include "core/domain/job.h"
#include "core/feed/counters.h"
#include "core/store/idempotency_store.h"

#include <condition_variable>
#include <mutex>

namespace redrive {

struct EnqueuedJobs
{
    QStringList ids; // in the order of the submission
    bool duplicate = false;
};

struct JobSubmission
{
    std::vector<JobInput> jobs; // all of them or none; not empty
    std::optional<IdempotencyKey> idempotencyKey;
    std::function<void(Result<EnqueuedJobs>)> reply; // called on the control thread, after the commit
};

class EnqueueInbox final : public CyclePart
{
public:
    // `settings` outlives the inbox. `wake` is called when the first submission of a burst waits.
    EnqueueInbox(const Settings& settings, Counters& counters, std::function<void()> wake);

    void enqueue(JobSubmission submission);
    // Control thread, before a turn: gives a crowd of waiting clients a moment to come back together, so that
    // they share one commit. Does not wait for a single client.
    void gather();
    // From now on submissions are answered with Refused "stopping". Any thread.
    void close();
    // Answers what still waits in the same way: no turn follows any more. Control thread.
    void refuseWaiting();

    bool hasWork(qint64 nowMs, qint64 steadyMs) const override;
    Status apply(Cycle& cycle) override;
    void rolledBack(const Error& error) override;
    void storeRefuses(const std::optional<Error>& why) override;
    std::optional<qint64> nextDeadline() const override { return std::nullopt; }

private:
    Result<EnqueuedJobs> insertJobs(Cycle& cycle, const JobSubmission& submission);
    void takeForThisTurn();

    const Settings& m_settings;
    Counters& m_counters;
    std::function<void()> m_wake;
    std::vector<JobSubmission> m_writing; // of this turn
    bool m_careful = false; // after an error that one row of the turn may have caused: each by itself

    size_t m_expected = 1; // submissions of the largest of the last bursts

    mutable std::mutex m_mutex; // guards the rest
    std::condition_variable m_more;
    size_t m_wanted = 0; // submissions that gather() waits for
    std::vector<JobSubmission> m_inbox;
    bool m_closed = false;
    std::optional<Error> m_refusal; // the store cannot be written: everything is answered so
};

// Writes the job and its message. Also used by a command-line process, in a turn of its own.
Result<QString> insertJobAndMessage(Cycle& cycle, const Settings& settings, const JobInput& input);

} // namespace redrive
