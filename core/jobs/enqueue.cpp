#include "core/jobs/enqueue.h"

#include "core/base/ids.h"
#include "core/queue/send.h"
#include "core/store/backlog_store.h"
#include "core/store/job_store.h"
#include "core/store/lone_change.h"
#include "core/store/queue_store.h"

namespace redrive {

namespace {
constexpr size_t kMostPerTurn = 1'000; // jobs; a submission is taken whole
constexpr std::chrono::microseconds kGather(500);

Error stopping()
{
    return {ErrorKind::Refused, u"the engine is stopping"_s, u"stopping"_s, {}};
}
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
        return fail(ErrorKind::Refused, u"the configuration names no queue for jobs"_s);
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
    : m_settings(settings), m_counters(counters), m_wake(std::move(wake))
{
}

void EnqueueInbox::enqueue(JobSubmission submission)
{
    std::unique_lock lock(m_mutex);
    if (m_closed || m_refusal) {
        const Error why = m_closed ? stopping() : *m_refusal;
        lock.unlock();
        submission.reply(fail(why));
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

void EnqueueInbox::storeRefuses(const std::optional<Error>& why)
{
    std::vector<JobSubmission> waiting;
    {
        std::lock_guard lock(m_mutex);
        m_refusal = why;
        if (why)
            waiting.swap(m_inbox);
    }
    for (const JobSubmission& submission : waiting)
        submission.reply(fail(*why));
}

bool EnqueueInbox::hasWork(qint64, qint64) const
{
    std::lock_guard lock(m_mutex);
    return !m_inbox.empty();
}

void EnqueueInbox::takeForThisTurn()
{
    m_writing.clear();
    std::lock_guard lock(m_mutex);
    size_t jobs = 0;
    auto end = m_inbox.begin();
    for (; end != m_inbox.end() && jobs < kMostPerTurn; ++end)
        jobs += end->jobs.size();
    m_writing.assign(std::make_move_iterator(m_inbox.begin()), std::make_move_iterator(end));
    m_inbox.erase(m_inbox.begin(), end);
}

Status EnqueueInbox::apply(Cycle& cycle)
{
    takeForThisTurn();
    if (m_writing.empty())
        return {};
    auto answers = std::make_shared<std::vector<Result<EnqueuedJobs>>>();
    answers->reserve(m_writing.size());
    for (const JobSubmission& submission : m_writing) {
        const auto insert = [&] { return insertJobs(cycle, submission); };
        const bool alone = m_careful || submission.jobs.size() > 1;
        Result<EnqueuedJobs> answer = alone ? changeAlone(cycle, insert) : insert();
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
                m_counters.accepted += quint64((*answers)[i]->ids.size());
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

Result<EnqueuedJobs> EnqueueInbox::insertJobs(Cycle& cycle, const JobSubmission& submission)
{
    const auto& key = submission.idempotencyKey;
    if (key) {
        REDRIVE_ASSIGN(known, idempotency_store::find(cycle, *key));
        if (known && known->bodySha256 != key->bodySha256)
            return fail(ErrorKind::Conflict, u"this Idempotency-Key was used with another body"_s);
        if (known)
            return EnqueuedJobs{known->jobIds, true};
    }
    EnqueuedJobs made;
    for (const JobInput& job : submission.jobs) {
        REDRIVE_ASSIGN(id, insertJobAndMessage(cycle, m_settings, job));
        made.ids.append(id);
    }
    if (key)
        REDRIVE_TRY(idempotency_store::remember(cycle, *key, made.ids));
    return made;
}

} // namespace redrive
