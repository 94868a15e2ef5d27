#include "core/deadletter/queue_action.h"

#include "core/store/queue_settings.h"

namespace redrive {

Result<QString> queueRefusal(Connection& db, ActionVerb verb, const QString& queue,
                             const QStringList& declaredQueues)
{
    REDRIVE_ASSIGN(state, queue_settings::pauseState(db, queue));
    if (!state.known && !declaredQueues.contains(queue))
        return u"is not a queue that is declared or holds messages"_s;
    if (verb == ActionVerb::PurgeQueue)
        return QString();
    if (state.paused == (verb == ActionVerb::PauseQueue))
        return state.paused ? u"is paused already"_s : u"is not paused"_s;
    return QString();
}

Result<QString> actOnQueue(Cycle& cycle, ActionVerb verb, const QString& queue, const QString& actor,
                           const QStringList& declaredQueues)
{
    REDRIVE_ASSIGN(refusal, queueRefusal(cycle.db, verb, queue, declaredQueues));
    if (!refusal.isEmpty())
        return refusal;
    if (verb == ActionVerb::PauseQueue)
        REDRIVE_TRY(queue_settings::pause(cycle, queue, actor));
    else
        REDRIVE_TRY(queue_settings::resume(cycle, queue));
    return QString();
}

} // namespace redrive
