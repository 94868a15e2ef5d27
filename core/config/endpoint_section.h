// redrive.endpoints[] and redrive.allow_private_targets[]. Any thread.
#pragma once

#include "core/config/config_value.h"
#include "core/config/diagnostic.h"
#include "core/config/settings.h"

namespace redrive {

// Reads into settings.endpoints; settings.secrets is complete.
void readEndpoints(const ConfigValue& array, Settings& settings, Diagnostics& out);

// Entries as checkPrivateTarget has them.
void readPrivateTargets(const ConfigValue& array, Settings& settings, Diagnostics& out);

} // namespace redrive
