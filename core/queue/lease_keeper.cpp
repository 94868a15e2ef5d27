#include "core/queue/lease_keeper.h"

#include "core/base/clock.h"
#include "core/base/ids.h"
#include "core/base/log.h"
#include "core/domain/attempts.h"
#include "core/domain/reason.h"
#include "core/store/job_store.h"
#include "core/store/letter_store.h"
#include "core/store/lone_change.h"

#include <QRandomGenerator>

namespace redrive {

namespace {

constexpr int kSlice = 200;
constexpr int kCrashesUntilDead = 3;
constexpr qint64 kLookEveryMs = 10'000;
constexpr qint64 kLookJitterMs = 5'000;

} // namespace

LeaseKeeper::LeaseKeeper(const Settings& settings, QString databasePath, qint64 leaseMs, Counters& counters)
    : m_settings(settings), m_databasePath(std::move(databasePath)), m_leaseMs(leaseMs), m_counters(counters)
{
}

Status LeaseKeeper::begin(Cycle& cycle)
{
    const QString owner = newId(cycle.nowMs);
    REDRIVE_ASSIGN(lock, FileLock::tryLock(engine_locks::path(m_databasePath, owner)));
    REDRIVE_ASSIGN(no, instance_store::add(cycle, owner, cycle.bootMs + m_leaseMs));
    if (!m_former)
        m_former = std::move(m_identity);
    m_identity = {no, std::move(lock)};
    cycle.afterCommit.push_back([this] {
        if (m_former && m_former->lock)
            m_former->lock->releaseAndRemove();
        m_former.reset();
    });
    cycle.instanceNo = no;
    m_renewAtSteadyMs = cycle.steadyMs + m_leaseMs / 3;
    return {};
}

Status LeaseKeeper::end(Cycle& cycle)
{
    REDRIVE_TRY(instance_store::end(cycle, m_identity.no));
    cycle.afterCommit.push_back([this] {
        if (m_identity.lock)
            m_identity.lock->releaseAndRemove();
        m_identity.lock.reset();
    });
    return {};
}

bool LeaseKeeper::hasWork(qint64, qint64 steadyMs) const
{
    return steadyMs >= m_renewAtSteadyMs || steadyMs >= m_lookAtSteadyMs;
}

std::optional<qint64> LeaseKeeper::nextDeadline() const
{
    return std::min(m_renewAtSteadyMs, m_lookAtSteadyMs);
}

void LeaseKeeper::rolledBack(const Error&)
{
    if (m_former) {
        if (m_identity.lock)
            m_identity.lock->releaseAndRemove();
        m_identity = *std::exchange(m_former, std::nullopt);
    }
    m_recovering.clear();
    m_renewAtSteadyMs = 0;
    m_lookAtSteadyMs = 0;
}

Status LeaseKeeper::apply(Cycle& cycle)
{
    if (cycle.steadyMs >= m_renewAtSteadyMs)
        REDRIVE_TRY(renew(cycle));
    if (cycle.steadyMs >= m_lookAtSteadyMs && !cycle.recordsOnly)
        REDRIVE_TRY(lookForEnded(cycle));
    return {};
}

Status LeaseKeeper::renew(Cycle& cycle)
{
    m_renewAtSteadyMs = cycle.steadyMs + m_leaseMs / 3;
    REDRIVE_ASSIGN(renewed, instance_store::renew(cycle, m_identity.no, cycle.bootMs + m_leaseMs));
    if (renewed)
        return {};
    logEvent(LogLevel::Warning, "lease_lost", {{"instance", QString::number(m_identity.no)}});
    return begin(cycle); // what was held is another engine's now: our late outcomes will not match
}

Status LeaseKeeper::lookForEnded(Cycle& cycle)
{
    m_lookAtSteadyMs = cycle.steadyMs + kLookEveryMs + QRandomGenerator::global()->bounded(kLookJitterMs);
    REDRIVE_ASSIGN(instances, instance_store::live(cycle.db));
    for (const InstanceRow& instance : instances)
        if (instance.no != m_identity.no && hasEnded(instance, cycle.bootMs))
            REDRIVE_TRY(recover(cycle, instance));
    return {};
}

bool LeaseKeeper::hasEnded(const InstanceRow& instance, qint64 bootMs) const
{
    if (instance.bootId != bootId() || instance.leaseUntilMs <= bootMs)
        return true;
    return !FileLock::isHeld(engine_locks::path(m_databasePath, instance.owner));
}

Status LeaseKeeper::recover(Cycle& cycle, const InstanceRow& instance)
{
    REDRIVE_ASSIGN(messagesDone, giveBackSlice(cycle, instance.no));
    bool nothingLeft = messagesDone;
    bool refused = m_recovering.value(instance.no).refused;
    for (const Recoverer& recoverer : m_recoverers) {
        const auto done = changeAlone(cycle, [&] { return recoverer(cycle, instance.no); });
        if (!done && concernsTheStore(done.error()))
            return fail(done.error());
        refused |= !done;
        nothingLeft &= done.value_or(true);
    }
    if (!nothingLeft) {
        m_lookAtSteadyMs = cycle.steadyMs; // the next slice in the next turn
        return {};
    }
    m_recovering.remove(instance.no);
    if (refused) { // what is left is tried again when ended engines are looked for next
        logEvent(LogLevel::Warning, "ended_instance_not_recovered",
                 {{"instance", QString::number(instance.no)}});
        return {};
    }
    REDRIVE_TRY(instance_store::end(cycle, instance.no));
    cycle.afterCommit.push_back([path = engine_locks::path(m_databasePath, instance.owner)] {
        if (auto lock = FileLock::tryLock(path))
            lock->releaseAndRemove();
    });
    logEvent(LogLevel::Notice, "ended_instance_recovered", {{"instance", QString::number(instance.no)}});
    return {};
}

Result<bool> LeaseKeeper::giveBackSlice(Cycle& cycle, qint64 instanceNo)
{
    Progress& progress = m_recovering[instanceNo];
    REDRIVE_ASSIGN(messages, message_store::heldBy(cycle.db, instanceNo, progress.afterSeq, kSlice));
    for (const AbandonedMessage& message : messages) {
        progress.afterSeq = message.seq;
        const Status given = changeAlone(cycle, [&] { return giveBack(cycle, message); });
        if (given)
            continue;
        if (concernsTheStore(given.error()))
            return fail(given.error());
        progress.refused = true;
        logEvent(LogLevel::Error, "message_not_given_back",
                 {{"message", message.id}, {"error", given.error().text()}});
    }
    return messages.size() < kSlice;
}

Status LeaseKeeper::giveBack(Cycle& cycle, const AbandonedMessage& message)
{
    if (!message.claimed)
        return message_store::giveBack(cycle, message, false);
    Counters& counters = m_counters;
    cycle.afterCommit.push_back([&counters] { ++counters.crashed; });
    if (message.isJob) {
        AttemptRecord record;
        record.jobId = message.id;
        record.run = message.jobRun;
        record.attempt = message.attempts;
        record.instanceNo = message.instanceNo;
        record.startedAtMs = message.claimedAtMs;
        record.outcome = u"crashed"_s;
        record.error = u"the engine ended during the attempt"_s;
        REDRIVE_TRY(job_store::recordAttempt(cycle, record));
    }
    if (message.isJob && message.stopAsked) {
        REDRIVE_TRY(job_store::cancel(cycle, message.id, {}, reason::kCancelled));
        return message_store::removeAbandoned(cycle, message.seq);
    }
    const auto status = jobStatusFrom(message.jobStatus);
    if (message.isJob && status && *status != JobStatus::Pending && *status != JobStatus::Processing)
        return message_store::removeAbandoned(cycle, message.seq); // it has ended otherwise
    if (message.crashes + 1 >= kCrashesUntilDead)
        return buryCrashed(cycle, message);
    if (message.isJob)
        REDRIVE_TRY(job_store::giveBack(cycle, message.id, message.attempts, message.crashes + 1, {},
                                        reason::kInterrupted));
    return message_store::giveBack(cycle, message, true);
}

Status LeaseKeeper::buryCrashed(Cycle& cycle, const AbandonedMessage& message)
{
    const QString error = u"%1 engines ended during its attempts"_s.arg(kCrashesUntilDead);
    const ConsumerSettings* queue = m_settings.consumer(message.queue);
    const QString deadLetterQueue = queue ? queue->deadLetterQueue : QString();
    if (message.isJob)
        REDRIVE_TRY(
            job_store::die(cycle, message.id, message.attempts, kCrashesUntilDead, error, reason::kCrashed));
    NewLetter letter;
    letter.kind = message.isJob ? LetterKind::Job : LetterKind::Message;
    letter.subjectId = message.id;
    letter.sourceQueue = message.queue;
    letter.deadLetterQueue = deadLetterQueue;
    letter.type = message.jobType;
    letter.run = message.jobRun;
    letter.attempts = message.attempts;
    letter.maxAttempts = attemptsGranted(queue ? queue->maxRetries + 1 : 0, message.crashes + 1);
    letter.reason = reason::kCrashed;
    letter.error = error;
    letter.contentType = message.contentType;
    letter.body = message.body;
    letter.sentAtMs = message.sentAtMs;
    REDRIVE_TRY(letter_store::insert(cycle, letter));
    if (deadLetterQueue.isEmpty())
        return message_store::removeAbandoned(cycle, message.seq);
    return message_store::moveAbandoned(cycle, message, deadLetterQueue, error);
}

} // namespace redrive
