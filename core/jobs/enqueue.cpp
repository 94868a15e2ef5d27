#include "core/jobs/enqueue.h"

#include "core/base/ids.h"
#include "core/queue/send.h"
#include "core/store/job_store.h"
#include "core/store/lone_change.h"

namespace redrive {

namespace {
constexpr size_t kMostPerTurn = 1'000;
constexpr std::chrono::microseconds kGather(500);

Error stopping()
{
    return {ErrorKind::Refused, u"the engine is stopping"_s, u"stopping"_s, {}};
}
} // namespace

Result<QString> insertJobAndMessage(Cycle& cycle, const Settings& settings, const QString& type,
                                    const QByteArray& payload, std::optional<qint64> delayMs)
{
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
        return fail(ErrorKind::Refused, u"the configuration names no queue for jobs"_s);
    const qint64 waitMs = delayMs ? *delayMs : settings.deliveryDelayMs(job.queue);
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
    : m_settings(settings), m_counters(counters), m_wake(std::move(wake))
{
}

void EnqueueInbox::enqueue(JobSubmission submission)
{
    std::unique_lock lock(m_mutex);
    if (m_closed) {
        lock.unlock();
        submission.reply(fail(stopping()));
        return;
    }
    const bool first = m_inbox.empty();
    m_inbox.push_back(std::move(submission));
    const bool enough = m_inbox.size() == m_wanted;
    lock.unlock();
    if (first)
        m_wake();
    if (enough)
        m_more.notify_one();
}

void EnqueueInbox::gather()
{
    std::unique_lock lock(m_mutex);
    const size_t found = m_inbox.size();
    if (found == 0)
        return;
    if (found < m_expected) {
        m_wanted = m_expected;
        m_more.wait_for(lock, kGather, [this] { return m_closed || m_inbox.size() >= m_wanted; });
        m_wanted = 0;
    }
    m_expected = std::max(m_inbox.size(), m_expected - (m_expected + 7) / 8);
}

void EnqueueInbox::close()
{
    std::lock_guard lock(m_mutex);
    m_closed = true;
}

void EnqueueInbox::refuseWaiting()
{
    std::vector<JobSubmission> waiting;
    {
        std::lock_guard lock(m_mutex);
        m_closed = true;
        waiting.swap(m_inbox);
    }
    for (const JobSubmission& submission : waiting)
        submission.reply(fail(stopping()));
}

bool EnqueueInbox::hasWork(qint64, qint64) const
{
    std::lock_guard lock(m_mutex);
    return !m_inbox.empty();
}

Status EnqueueInbox::apply(Cycle& cycle)
{
    m_writing.clear();
    {
        std::lock_guard lock(m_mutex);
        const size_t count = std::min(kMostPerTurn, m_inbox.size());
        m_writing.assign(std::make_move_iterator(m_inbox.begin()),
                         std::make_move_iterator(m_inbox.begin() + qsizetype(count)));
        m_inbox.erase(m_inbox.begin(), m_inbox.begin() + qsizetype(count));
    }
    if (m_writing.empty())
        return {};
    auto answers = std::make_shared<std::vector<Result<EnqueuedJob>>>();
    answers->reserve(m_writing.size());
    for (const JobSubmission& submission : m_writing) {
        const auto insert = [&] { return insertJob(cycle, submission); };
        Result<EnqueuedJob> answer = m_careful ? changeAlone(cycle, insert) : insert();
        const bool refused = !answer && (answer.error().kind == ErrorKind::InvalidInput ||
                                         answer.error().kind == ErrorKind::Conflict ||
                                         answer.error().kind == ErrorKind::Refused);
        if (!answer && !refused && (!m_careful || concernsTheStore(answer.error())))
            return fail(answer.error());
        answers->push_back(std::move(answer));
    }
    cycle.afterCommit.push_back([this, answers] {
        for (size_t i = 0; i < answers->size(); ++i) {
            if ((*answers)[i] && !(*answers)[i]->duplicate)
                ++m_counters.accepted;
            m_writing[i].reply(std::move((*answers)[i]));
        }
        m_writing.clear();
        m_careful = false;
    });
    return {};
}

void EnqueueInbox::rolledBack(const Error& error)
{
    if (m_writing.empty())
        return;
    if (concernsTheStore(error) || m_careful) {
        m_careful = false;
        for (const JobSubmission& submission : std::exchange(m_writing, {}))
            submission.reply(fail(error));
        return;
    }
    m_careful = true;
    std::lock_guard lock(m_mutex);
    m_inbox.insert(m_inbox.begin(), std::make_move_iterator(m_writing.begin()),
                   std::make_move_iterator(m_writing.end()));
    m_writing.clear();
}

Result<EnqueuedJob> EnqueueInbox::insertJob(Cycle& cycle, const JobSubmission& submission)
{
    if (submission.idempotencyKey) {
        REDRIVE_ASSIGN(known, idempotency_store::find(cycle, *submission.idempotencyKey));
        if (known && known->bodySha256 != submission.idempotencyKey->bodySha256)
            return fail(ErrorKind::Conflict, u"this Idempotency-Key was used with another body"_s);
        if (known)
            return EnqueuedJob{known->jobId, true};
    }
    REDRIVE_ASSIGN(
        id, insertJobAndMessage(cycle, m_settings, submission.type, submission.payload, submission.delayMs));
    if (submission.idempotencyKey)
        REDRIVE_TRY(idempotency_store::remember(cycle, *submission.idempotencyKey, id));
    return EnqueuedJob{id, false};
}

} // namespace redrive
