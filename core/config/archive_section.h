// redrive.archive. Any thread.
#pragma once

#include "core/config/config_value.h"
#include "core/config/diagnostic.h"
#include "core/config/settings.h"

namespace redrive {

// Reads into settings.archive; settings.secrets is complete. `folder`: the configuration's, for a relative
// dir.
void readArchive(const ConfigValue& table, const QString& folder, Settings& settings, Diagnostics& out);

} // namespace redrive
