// What a configuration says about an engine as a whole. Pure; any thread.
#pragma once

#include "core/config/settings.h"
#include "core/engine/engine_api.h"

namespace redrive {

// Without the path of the database.
EngineFacts factsOf(const Settings& settings);
// Nobody but programs of this machine reaches its listeners: webhooks may go to this machine too, then.
bool staysOnLoopback(const Settings& settings);

} // namespace redrive
