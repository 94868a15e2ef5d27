// What of a wrangler file is in effect: the top level, or one of its environments. Any thread.
#pragma once

#include "core/config/config_value.h"
#include "core/config/diagnostic.h"
#include "core/config/queue_section.h"
#include "core/config/settings.h"

#include <optional>

namespace redrive {

struct EffectiveSections
{
    const ConfigValue* scope = nullptr; // the top level or the environment's table
    DeclaredQueues queues;
    QList<DatabaseSettings> databases;
    QStringList crons;
};

// Checks the top level and every environment, and takes what `environment` (empty: the top level) has.
// `queues`, `d1_databases` and `vars` are not inherited from the top level, `triggers` is. Nothing where the
// file does not have that environment, which is an error that names those it has.
std::optional<EffectiveSections> readScopes(const ConfigValue& root, const QString& environment,
                                            const QString& folder, Diagnostics& out);

} // namespace redrive
