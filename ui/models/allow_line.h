// The line that allows a refused address, as the operator's own configuration takes it: Redrive writes into
// no configuration. Window thread (translations); otherwise pure.
#pragma once

#include "ui/bridge/engine_bridge.h"

#include <QString>

namespace redrive {

struct AllowLine
{
    QString text;  // as it is written into the file
    QString file;  // its name, for people
    QString where; // "the table redrive of wrangler.toml"
};

// The settings of the engine stand in JSON, not in TOML.
bool hasJsonSettings(const EngineFacts& facts);

// Of a line as the engine's refusal has it: allow_private_targets = ["10.0.0.7/32:8443"].
AllowLine allowLineFor(const QString& line, const EngineFacts& facts);

} // namespace redrive
