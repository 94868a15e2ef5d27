// redrive.alerts. Any thread.
#pragma once

#include "core/config/config_value.h"
#include "core/config/diagnostic.h"
#include "core/config/settings.h"

namespace redrive {

// Reads into settings.alerts; settings.secrets is complete.
void readAlerts(const ConfigValue& table, Settings& settings, Diagnostics& out);

} // namespace redrive
