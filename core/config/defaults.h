// The configuration that runs where there is none. Pure; any thread.
#pragma once

#include "core/config/settings.h"

namespace redrive {

// Roles (jobsQueue, telemetryQueue) are set; secrets are not.
Settings builtInSettings();

} // namespace redrive
