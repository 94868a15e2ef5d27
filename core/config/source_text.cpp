#include "core/config/source_text.h"

#include "core/base/result.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace redrive {

namespace {

uchar byteAt(const QByteArray& text, qsizetype index)
{
    return static_cast<uchar>(text[index]);
}

// Length of the well-formed UTF-8 sequence at `index` (no overlong forms, no surrogates), or 0.
int sequenceLength(const QByteArray& text, qsizetype index)
{
    const uchar first = byteAt(text, index);
    if (first < 0x80)
        return 1;
    int length = 0;
    if (first >= 0xC2 && first <= 0xDF)
        length = 2;
    else if (first >= 0xE0 && first <= 0xEF)
        length = 3;
    else if (first >= 0xF0 && first <= 0xF4)
        length = 4;
    if (length == 0 || index + length > text.size())
        return 0;
    const uchar second = byteAt(text, index + 1);
    const uchar lowest = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    const uchar highest = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (second < lowest || second > highest)
        return 0;
    for (int i = 2; i < length; ++i) {
        if ((byteAt(text, index + i) & 0xC0) != 0x80)
            return 0;
    }
    return length;
}

bool isContinuation(char c)
{
    return (static_cast<uchar>(c) & 0xC0) == 0x80;
}

} // namespace

LineIndex::LineIndex(const QByteArray& text) : m_text(text)
{
    m_starts.append(0);
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] == '\n')
            m_starts.append(i + 1);
    }
}

SourcePosition LineIndex::at(qsizetype offset) const
{
    const qsizetype end = std::clamp<qsizetype>(offset, 0, m_text.size());
    const auto next = std::upper_bound(m_starts.begin(), m_starts.end(), end);
    const qsizetype line = next - m_starts.begin();
    const auto from = m_text.begin() + m_starts[line - 1];
    const auto characters =
        std::count_if(from, m_text.begin() + end, [](char c) { return !isContinuation(c); });
    return {static_cast<int>(line), static_cast<int>(characters) + 1};
}

SourcePosition LineIndex::atBytes(int line, int byteColumn) const
{
    const qsizetype index = std::clamp<qsizetype>(line, 1, m_starts.size()) - 1;
    return at(m_starts[index] + std::max(byteColumn, 1) - 1);
}

std::optional<QByteArray> checkSourceText(QByteArray text, const QString& file, Diagnostics& out)
{
    if (text.size() > largestConfigBytes) {
        out.fileError(file, u"is larger than 1 MiB, which no configuration is"_s);
        return {};
    }
    if (text.startsWith("\xEF\xBB\xBF"))
        text.remove(0, 3);
    if (text.trimmed().isEmpty()) {
        out.fileError(file, u"is empty; without any configuration file the built-in default would run"_s);
        return {};
    }

    int line = 1;
    int column = 1;
    for (qsizetype i = 0; i < text.size();) {
        const int length = sequenceLength(text, i);
        const uchar c = byteAt(text, i);
        const bool control = (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F;
        if (length == 0 || control) {
            const QString what = control ? u"control character 0x%1; this is no text file"_s
                                         : u"byte 0x%1 is not valid UTF-8; the file must be UTF-8 text"_s;
            out.add({Severity::Error, file, line, column, {}, what.arg(c, 2, 16, QChar(u'0'))});
            return {};
        }
        i += length;
        if (c == '\n') {
            ++line;
            column = 1;
        } else {
            ++column;
        }
    }
    return text;
}

std::optional<QByteArray> readSourceFile(const QString& path, const QString& shownName, Diagnostics& out)
{
    if (QFileInfo(path).isDir()) {
        out.fileError(shownName, u"is a folder, not a configuration file"_s);
        return {};
    }
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        out.fileError(shownName, u"cannot be read: "_s + file.errorString());
        return {};
    }
    QByteArray text = file.read(largestConfigBytes + 1);
    if (file.error() != QFileDevice::NoError) {
        out.fileError(shownName, u"cannot be read: "_s + file.errorString());
        return {};
    }
    return text;
}

} // namespace redrive
