// Looks over JSONC text without reading values: what the parser does not tell. Pure; any thread.
#pragma once

#include <QByteArray>

#include <optional>

namespace redrive {

// Offset of the first bracket or brace that opens more than `deepest` levels.
std::optional<qsizetype> findDeepJson(const QByteArray& text, int deepest);

// Offset of the first quotation mark at or behind `from` that is not in a comment: where the next key begins.
// The size of the text if there is none.
qsizetype findJsonKey(const QByteArray& text, qsizetype from);

// Offset of a line break inside a text in quotes, which JSON does not allow.
std::optional<qsizetype> findBrokenJsonText(const QByteArray& text);

} // namespace redrive
