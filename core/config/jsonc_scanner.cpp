#include "core/config/jsonc_scanner.h"

namespace redrive {

namespace {

// Index behind the comment at `index`, or `index` where none begins.
qsizetype skipComment(const QByteArray& text, qsizetype index)
{
    if (QByteArrayView(text).sliced(index).startsWith("//")) {
        const auto end = text.indexOf('\n', index);
        return end < 0 ? text.size() : end;
    }
    if (QByteArrayView(text).sliced(index).startsWith("/*")) {
        const auto end = text.indexOf("*/", index + 2);
        return end < 0 ? text.size() : end + 2;
    }
    return index;
}

// Index behind the text in quotes that begins at `index`.
qsizetype skipText(const QByteArray& text, qsizetype index)
{
    for (qsizetype i = index + 1; i < text.size(); ++i) {
        if (text[i] == '\\')
            ++i;
        else if (text[i] == '"')
            return i + 1;
    }
    return text.size();
}

} // namespace

std::optional<qsizetype> findDeepJson(const QByteArray& text, int deepest)
{
    int depth = 0;
    for (qsizetype i = 0; i < text.size();) {
        const char c = text[i];
        if (c == '"') {
            i = skipText(text, i);
            continue;
        }
        if (const auto behind = skipComment(text, i); behind != i) {
            i = behind;
            continue;
        }
        if ((c == '{' || c == '[') && ++depth > deepest)
            return i;
        if (c == '}' || c == ']')
            --depth;
        ++i;
    }
    return {};
}

qsizetype findJsonKey(const QByteArray& text, qsizetype from)
{
    for (qsizetype i = from; i < text.size();) {
        if (text[i] == '"')
            return i;
        const auto behind = skipComment(text, i);
        i = behind != i ? behind : i + 1;
    }
    return text.size();
}

std::optional<qsizetype> findBrokenJsonText(const QByteArray& text)
{
    for (qsizetype i = 0; i < text.size();) {
        if (text[i] == '"') {
            const auto behind = skipText(text, i);
            const auto lineBreak = text.indexOf('\n', i);
            if (lineBreak >= 0 && lineBreak < behind)
                return lineBreak;
            i = behind;
            continue;
        }
        const auto behind = skipComment(text, i);
        i = behind != i ? behind : i + 1;
    }
    return {};
}

} // namespace redrive
