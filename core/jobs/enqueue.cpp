#include "core/jobs/enqueue.h"

#include "core/base/ids.h"
#include "core/queue/send.h"
#include "core/store/backlog_store.h"
#include "core/store/job_store.h"
#include "core/store/queue_store.h"

namespace redrive {

namespace {
constexpr size_t kMostPerTurn = 1'000; // jobs
} // namespace

Result<QString> insertJobAndMessage(Cycle& cycle, const Settings& settings, const JobInput& input)
{
    const auto& [type, payload, delayMs] = input;
    if (payload.size() > kMaxMessageBytes)
        return fail(
            ErrorKind::InvalidInput,
            u"a payload may have %1 bytes, this one has %2"_s.arg(kMaxMessageBytes).arg(payload.size()));
    if (delayMs && (*delayMs < 0 || *delayMs > kMaxDelayMs))
        return fail(ErrorKind::InvalidInput, u"a delay must be from 0 to 86400 seconds"_s, {},
                    u"delaySeconds"_s);
    NewJob job;
    job.id = newId(cycle.nowMs);
    job.type = type;
    job.queue = settings.queueForType(type);
    job.payload = payload;
    if (job.queue.isEmpty())
        return fail(ErrorKind::Refused, u"the configuration names no queue for jobs"_s, u"no jobs queue"_s);
    REDRIVE_TRY(backlog_store::admit(cycle, job.queue, 1, payload.size(), settings.limits));
    REDRIVE_ASSIGN(queueDelayMs, queue_store::deliveryDelayMs(cycle.db, settings, job.queue));
    const qint64 waitMs = delayMs.value_or(queueDelayMs);
    if (waitMs > 0)
        job.dueAtMs = cycle.nowMs + waitMs;
    REDRIVE_TRY(job_store::insert(cycle, job));
    NewMessage message;
    message.id = job.id;
    message.queue = job.queue;
    message.isJob = true;
    message.size = payload.size();
    message.visibleAtMs = cycle.nowMs + waitMs;
    REDRIVE_TRY(message_store::insert(cycle, message));
    return job.id;
}

EnqueueInbox::EnqueueInbox(const Settings& settings, Counters& counters, std::function<void()> wake)
    : SubmissionInbox(std::move(wake), kMostPerTurn), m_settings(settings), m_counters(counters)
{
}

Result<QStringList> EnqueueInbox::write(Cycle& cycle, const JobSubmission& submission)
{
    QStringList ids;
    for (const JobInput& job : submission.jobs) {
        REDRIVE_ASSIGN(id, insertJobAndMessage(cycle, m_settings, job));
        ids.append(id);
    }
    return ids;
}

void EnqueueInbox::count(const JobSubmission& submission)
{
    m_counters.accepted += quint64(submission.jobs.size());
}

} // namespace redrive
