// The payload that a command was given: as its words, or on standard input. The main thread.
#pragma once

#include "core/base/result.h"

#include <QByteArray>

namespace redrive {

// "-" reads standard input, at most a little over what a payload may have.
Result<QByteArray> payloadInput(const QString& word);

} // namespace redrive
