// What a configuration says of its queues, for counts. Pure.
#pragma once

#include "core/config/settings.h"
#include "core/store/counts_store.h"

namespace redrive {

QList<KnownQueue> knownQueues(const Settings& settings);

} // namespace redrive
