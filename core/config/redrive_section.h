// The `redrive` table: Redrive's own settings. Any thread.
#pragma once

#include "core/config/config_value.h"
#include "core/config/diagnostic.h"
#include "core/config/settings.h"

#include <QMap>

namespace redrive {

// Where queues are named, for messages about them; pointers into the document.
struct RedrivePlaces
{
    const ConfigValue* jobsQueue = nullptr;
    const ConfigValue* telemetryQueue = nullptr;
    QMap<QString, const ConfigValue*> handlers;         // by job type: the entry
    QMap<QString, const ConfigValue*> handlerQueues;    // by job type: its `queue`
    QMap<QString, const ConfigValue*> consumerHandlers; // by queue: the entry
    QMap<QString, const ConfigValue*> queues;           // by queue: the entry
};

// Reads into `settings`, whose secrets are complete. `folder`: the configuration's, for relative paths.
RedrivePlaces readRedriveSection(const ConfigValue& table, const QString& folder, Settings& settings,
                                 Diagnostics& out);

} // namespace redrive
