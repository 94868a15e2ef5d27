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
    case ActionVerb::RunNow:
        return QStringLiteral("run-now");
    case ActionVerb::PauseQueue:
        return QStringLiteral("pause");
    case ActionVerb::ResumeQueue:
        break;
    }
    return QStringLiteral("resume");
}

} // namespace redrive
