// Takes jobs in: many requests share one commit, and each is answered after it. enqueue() from any thread.
#pragma once

#include "core/config/settings.h"
#include "core/domain/job.h"
#include "core/feed/counters.h"
#include "core/store/submission_inbox.h"

namespace redrive {

using EnqueuedJobs = StoredIds;

struct JobSubmission
{
    std::vector<JobInput> jobs; // all of them or none; not empty
    std::optional<IdempotencyKey> idempotencyKey;
    std::function<void(Result<EnqueuedJobs>)> reply;

    size_t size() const { return jobs.size(); }
    bool alone() const { return jobs.size() > 1; }
};

class EnqueueInbox final : public SubmissionInbox<JobSubmission>
{
public:
    // `settings` outlives the inbox. `wake` is called when the first submission of a burst waits.
    EnqueueInbox(const Settings& settings, Counters& counters, std::function<void()> wake);

private:
    Result<QStringList> write(Cycle& cycle, const JobSubmission& submission) override;
    void count(const JobSubmission& submission) override;

    const Settings& m_settings;
    Counters& m_counters;
};

// Writes the job and its message. Also used by a command-line process, in a turn of its own.
Result<QString> insertJobAndMessage(Cycle& cycle, const Settings& settings, const JobInput& input);

} // namespace redrive
