// Which queue does what: where jobs and telemetry go and what has no handler. Any thread.
#pragma once

#include "core/config/diagnostic.h"
#include "core/config/redrive_section.h"
#include "core/config/settings.h"

namespace redrive {

// Completes settings.jobsQueue and settings.telemetryQueue and reports what does not fit together. `file`
// stands in messages that have no better place.
void resolveQueueRoles(Settings& settings, const RedrivePlaces& places, const QString& file,
                       Diagnostics& out);

} // namespace redrive
