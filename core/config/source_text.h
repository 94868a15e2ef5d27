// The text of a configuration file before any syntax: size, encoding, places. Pure but for readSourceFile;
// any thread.
#pragma once

#include "core/config/diagnostic.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

namespace redrive {

constexpr qsizetype largestConfigBytes = 1 << 20;
// Tables and arrays inside each other.
constexpr int deepestConfigNesting = 32;

struct SourcePosition
{
    int line = 1;
    int column = 1; // in characters

    bool operator==(const SourcePosition&) const = default;
};

// Line and column of byte offsets in one text.
class LineIndex final
{
public:
    explicit LineIndex(const QByteArray& text); // valid UTF-8

    SourcePosition at(qsizetype offset) const;
    // Of a line and a column counted in bytes, both 1-based.
    SourcePosition atBytes(int line, int byteColumn) const;

private:
    QByteArray m_text;
    QList<qsizetype> m_starts;
};

// Text without its byte-order mark, or nothing and the reasons: too large, empty, not UTF-8 or binary.
std::optional<QByteArray> checkSourceText(QByteArray text, const QString& file, Diagnostics& out);

// Reads at most one byte more than the limit. Nothing and a reason when it cannot.
std::optional<QByteArray> readSourceFile(const QString& path, const QString& shownName, Diagnostics& out);

} // namespace redrive
