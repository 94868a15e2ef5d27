// Which deliveries can be sent again. Pure; any thread.
#pragma once

#include "core/domain/delivery.h"

namespace redrive {

// What stands in the way, the first that does.
enum class ReplayObstacle {
    None,
    Sending, // an attempt is under way
    Waiting, // it goes out anyway
    InBin,
    EndpointPaused, // an operator or the endpoint's settings hold it; it goes out with a resume
};

// Of a stored row: its status, its reason (reason.h), whether it is in the bin. That its event is still kept
// is another question.
ReplayObstacle replayObstacle(DeliveryStatus status, QStringView reason, bool discarded);

} // namespace redrive
