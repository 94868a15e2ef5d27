// JSON with comments and trailing commas to a document tree. Any thread.
#pragma once

#include "core/config/config_value.h"
#include "core/config/diagnostic.h"

#include <QByteArray>

#include <optional>

namespace redrive {

// `text` has passed checkSourceText. Nothing, and an error with its place, when it is not JSONC, holds a key
// twice, or is not an object.
std::optional<ConfigValue> readJsonc(const QByteArray& text, const QString& file, Diagnostics& out);

} // namespace redrive
