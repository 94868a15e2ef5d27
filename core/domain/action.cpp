#include "core/domain/action.h"

namespace redrive {

QString toText(ActionVerb verb)
{
    switch (verb) {
    case ActionVerb::Requeue:
        return QStringLiteral("requeue");
    case ActionVerb::Discard:
        return QStringLiteral("discard");
    case ActionVerb::Restore:
        return QStringLiteral("restore");
    case ActionVerb::Replay:
        return QStringLiteral("replay");
    case ActionVerb::ReplayMissing:
        return QStringLiteral("replay-missing");
    case ActionVerb::Publish:
        return QStringLiteral("publish");
    case ActionVerb::RunNow:
        return QStringLiteral("run-now");
    case ActionVerb::Postpone:
        return QStringLiteral("postpone");
    case ActionVerb::Cancel:
        return QStringLiteral("cancel");
    case ActionVerb::Edit:
        return QStringLiteral("edit");
    case ActionVerb::PauseQueue:
        return QStringLiteral("pause");
    case ActionVerb::ResumeQueue:
        return QStringLiteral("resume");
    case ActionVerb::PurgeQueue:
        break;
    }
    return QStringLiteral("purge");
}

std::optional<ActionVerb> actionVerbFrom(QStringView text)
{
    for (const ActionVerb verb :
         {ActionVerb::Requeue, ActionVerb::Discard, ActionVerb::Restore, ActionVerb::Replay,
          ActionVerb::ReplayMissing, ActionVerb::Publish, ActionVerb::RunNow, ActionVerb::Postpone,
          ActionVerb::Cancel, ActionVerb::Edit, ActionVerb::PauseQueue, ActionVerb::ResumeQueue,
          ActionVerb::PurgeQueue})
        if (text == toText(verb))
            return verb;
    return std::nullopt;
}

bool takesPace(ActionVerb verb)
{
    return verb == ActionVerb::Requeue || verb == ActionVerb::Replay || verb == ActionVerb::ReplayMissing ||
           verb == ActionVerb::RunNow;
}

bool takesHold(ActionVerb verb)
{
    return takesPace(verb) || verb == ActionVerb::Discard;
}

} // namespace redrive
