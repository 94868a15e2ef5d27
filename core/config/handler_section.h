// redrive.handlers, redrive.consumers and redrive.commands. Any thread.
#pragma once

#include "core/config/redrive_section.h"

namespace redrive {

void readHandlers(const ConfigValue& table, const QString& folder, Settings& settings, RedrivePlaces& places,
                  Diagnostics& out);
void readConsumerHandlers(const ConfigValue& table, const QString& folder, Settings& settings,
                          RedrivePlaces& places, Diagnostics& out);
void readCommands(const ConfigValue& table, const QString& folder, Settings& settings, Diagnostics& out);

// Job types that Redrive runs itself.
const QStringList& builtInJobTypes();

} // namespace redrive
