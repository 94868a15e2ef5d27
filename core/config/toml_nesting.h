// Dotted TOML keys nest one table per dot, without a limit of the parser. Pure; any thread.
#pragma once

#include <QByteArray>

#include <optional>

namespace redrive {

// Offset of the first key with more than `longest` dots, outside text and comments; nothing if there is none.
std::optional<qsizetype> findDeepTomlKey(const QByteArray& text, int longest);

} // namespace redrive
