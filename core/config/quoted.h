// Text from a file, made safe to stand in a one-line message: in double quotes, control characters escaped,
// cut after 60 characters. Never call it with the value of a secret. Pure; any thread.
#pragma once

#include <QString>

namespace redrive {

QString quoted(const QString& text);

// The same without quotes, for file names and key paths; cut after `longest` characters.
QString printable(const QString& text, qsizetype longest = 400);

} // namespace redrive
