// `d1_databases` and `triggers` of a wrangler file. Any thread.
#pragma once

#include "core/config/config_value.h"
#include "core/config/diagnostic.h"
#include "core/config/settings.h"

namespace redrive {

// `folder`: the configuration's, for relative migrations_dir.
QList<DatabaseSettings> readDatabaseSection(const ConfigValue& section, const QString& folder,
                                            Diagnostics& out);

// triggers.crons; only valid expressions are in the result.
QStringList readTriggers(const ConfigValue& section, Diagnostics& out);

// Absolute and cleaned; relative paths begin at `folder`.
QString resolvePath(const QString& folder, const QString& path);

} // namespace redrive
