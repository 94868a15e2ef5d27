#include "core/domain/replay_rule.h"

#include "core/domain/reason.h"

namespace redrive {

ReplayObstacle replayObstacle(DeliveryStatus status, QStringView reason, bool discarded)
{
    if (status == DeliveryStatus::Sending)
        return ReplayObstacle::Sending;
    if (status == DeliveryStatus::Pending)
        return ReplayObstacle::Waiting;
    if (discarded)
        return ReplayObstacle::InBin;
    if (status == DeliveryStatus::Held && reason == reason::kEndpointPaused)
        return ReplayObstacle::EndpointPaused;
    return ReplayObstacle::None;
}

} // namespace redrive
