#include "core/queue/message_expiry.h"

#include "core/base/log.h"
#include "core/store/lone_change.h"
#include "core/store/message_removal.h"
#include "core/store/queue_store.h"

namespace redrive {

bool MessageExpiry::hasWork(qint64, qint64 steadyMs) const
{
    return steadyMs >= m_lookAtSteadyMs;
}

Status MessageExpiry::apply(Cycle& cycle)
{
    if (!hasWork(cycle.nowMs, cycle.steadyMs))
        return {};
    REDRIVE_ASSIGN(settings, queue_store::all(cycle.db));
    REDRIVE_ASSIGN(queues, message_removal::oldestOfQueues(cycle.db));
    qint64 lookInMs = kLookEveryMs;
    for (const auto& [queue, oldestMs] : queues) {
        const qint64 keptMs = settings.value(queue).retentionMs.value_or(defaultMessageRetentionMs);
        const qint64 expiresInMs = oldestMs + keptMs - cycle.nowMs;
        if (expiresInMs > 0) {
            lookInMs = std::min(lookInMs, expiresInMs);
            continue;
        }
        REDRIVE_ASSIGN(more, expireSlice(cycle, queue, cycle.nowMs - keptMs));
        if (more)
            lookInMs = 0;
    }
    m_lookAtSteadyMs = cycle.steadyMs + lookInMs;
    return {};
}

Result<bool> MessageExpiry::expireSlice(Cycle& cycle, const QString& queue, qint64 sentUntilMs)
{
    REDRIVE_ASSIGN(messages, message_removal::sentUntil(cycle.db, queue, sentUntilMs, kSlice));
    int deleted = 0;
    int refused = 0;
    for (const RemovableMessage& message : messages) {
        const auto gone = changeAlone(cycle, [&] { return message_removal::expire(cycle, message); });
        if (gone) {
            deleted += *gone ? 1 : 0;
            continue;
        }
        if (concernsTheStore(gone.error()))
            return fail(gone.error());
        if (refused++ == 0)
            logEvent(LogLevel::Error, "message_not_expired",
                     {{"message", message.id}, {"error", gone.error().text()}});
    }
    if (deleted == 0)
        return false;
    Counters& counters = m_counters;
    cycle.afterCommit.push_back([&counters, queue, deleted] {
        counters.queues.add(queue, &QueueTotals::expired, quint64(deleted));
        logEvent(LogLevel::Notice, "messages_expired",
                 {{"queue", queue}, {"count", QString::number(deleted)}});
    });
    return messages.size() == kSlice;
}

} // namespace redrive
