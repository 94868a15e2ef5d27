#include "core/intake/batch_texts.h"

#include <algorithm>

namespace redrive::batch_texts {

namespace {

bool isSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

QByteArrayView trimmed(QByteArrayView text)
{
    while (!text.isEmpty() && isSpace(text.front()))
        text = text.sliced(1);
    while (!text.isEmpty() && isSpace(text.back()))
        text = text.chopped(1);
    return text;
}

// The position behind the string that begins there.
qsizetype behindString(QByteArrayView text, qsizetype at)
{
    for (++at; at < text.size() && text[at] != '"'; ++at)
        if (text[at] == '\\')
            ++at;
    return at + 1;
}

} // namespace

bool isBlank(QByteArrayView text)
{
    return std::all_of(text.begin(), text.end(), isSpace);
}

bool isArray(QByteArrayView body)
{
    const auto first = std::find_if_not(body.begin(), body.end(), isSpace);
    return first != body.end() && *first == '[';
}

QList<QByteArrayView> lines(QByteArrayView body, qsizetype most)
{
    QList<QByteArrayView> texts;
    for (qsizetype at = 0; at < body.size() && texts.size() <= most;) {
        qsizetype end = body.indexOf('\n', at);
        end = end < 0 ? body.size() : end;
        const QByteArrayView line = body.sliced(at, end - at);
        if (!isBlank(line))
            texts.append(line);
        at = end + 1;
    }
    return texts;
}

std::optional<QList<QByteArrayView>> elements(QByteArrayView body, qsizetype most)
{
    const QByteArrayView array = trimmed(body);
    if (!array.startsWith('['))
        return std::nullopt;
    QList<QByteArrayView> texts;
    qsizetype begin = 1;
    qsizetype open = 1;
    qsizetype at = 1;
    while (at < array.size() && open > 0 && texts.size() <= most) {
        const char c = array[at];
        if (c == '"') {
            at = behindString(array, at);
            continue;
        }
        const bool ends = c == ']' || c == '}';
        open += (c == '[' || c == '{') - ends;
        if (open == 0 || (open == 1 && c == ',')) {
            texts.append(trimmed(array.sliced(begin, at - begin)));
            begin = at + 1;
        }
        ++at;
    }
    if (texts.size() > most)
        return texts;
    if (open > 0 || at != array.size() || !array.endsWith(']'))
        return std::nullopt;
    if (texts.size() == 1 && texts.first().isEmpty())
        texts.clear();
    return texts;
}

} // namespace redrive::batch_texts
