#include "core/config/toml_nesting.h"

namespace redrive {

namespace {

bool isBareKeyCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

// Index behind the text that begins at `index`. A one-line text that is not closed ends with its line.
qsizetype skipText(const QByteArray& text, qsizetype index)
{
    const char quote = text[index];
    const QByteArray triple(3, quote);
    const auto tripleAt = [&](qsizetype at) { return QByteArrayView(text).sliced(at).startsWith(triple); };
    const bool multiline = tripleAt(index);
    for (qsizetype i = index + (multiline ? 3 : 1); i < text.size(); ++i) {
        if (quote == '"' && text[i] == '\\')
            ++i;
        else if (multiline && tripleAt(i))
            return i + 3;
        else if (!multiline && (text[i] == quote || text[i] == '\n'))
            return i + 1;
    }
    return text.size();
}

} // namespace

std::optional<qsizetype> findDeepTomlKey(const QByteArray& text, int longest)
{
    int dots = 0;
    for (qsizetype i = 0; i < text.size();) {
        const char c = text[i];
        if (c == '"' || c == '\'') {
            i = skipText(text, i);
            continue;
        }
        if (c == '#') {
            const auto end = text.indexOf('\n', i);
            i = end < 0 ? text.size() : end;
            continue;
        }
        if (c == '.') {
            if (++dots > longest)
                return i;
        } else if (!isBareKeyCharacter(c) && c != ' ' && c != '\t') {
            dots = 0;
        }
        ++i;
    }
    return {};
}

} // namespace redrive
