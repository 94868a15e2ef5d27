// What every row of system_telemetry must be, as the migration's table says it, for tables that say less.
// Pure.
#pragma once

#include <QString>

namespace redrive {

// The table as the migration makes it.
QString telemetryTableSql();
// Whether a STRICT table made by this statement refuses everything by itself.
bool carriesTelemetryRules(const QString& tableSql);
// A trigger that refuses the same rows in the same words.
QString telemetryRulesTrigger();

} // namespace redrive
