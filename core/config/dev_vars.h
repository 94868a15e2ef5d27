// `.dev.vars`: NAME="value" lines, as dotenv reads them. Pure; any thread.
#pragma once

#include "core/config/diagnostic.h"

#include <QByteArray>
#include <QHash>

namespace redrive {

// Blank lines, # comments, `export ` in front; values bare, in single quotes (as they are) or double quotes
// (\n, \r, \t, \", \\; over several lines too). A later line wins over an earlier one. A line that is none of
// these is a warning, which never repeats any of it.
QHash<QString, QByteArray> parseDevVars(const QByteArray& text, const QString& file, Diagnostics& out);

} // namespace redrive
