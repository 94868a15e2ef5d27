#include "ui/widgets/json_layout.h"

#include "core/base/result.h"

#include <QJsonDocument>

namespace redrive {

namespace {

bool isSpace(QChar c)
{
    return c == u' ' || c == u'\n' || c == u'\r' || c == u'\t';
}

bool isPunctuation(QChar c)
{
    return c == u'{' || c == u'}' || c == u'[' || c == u']' || c == u',' || c == u':';
}

qsizetype skipSpace(const QString& text, qsizetype at)
{
    while (at < text.size() && isSpace(text[at]))
        ++at;
    return at;
}

qsizetype endOfString(const QString& text, qsizetype at)
{
    for (++at; at < text.size(); ++at) {
        if (text[at] == u'\\')
            ++at;
        else if (text[at] == u'"')
            return at + 1;
    }
    return text.size();
}

void newLine(QString& out, int depth)
{
    out += u'\n';
    out.resize(out.size() + depth * qsizetype(2), u' ');
}

} // namespace

JsonSpan nextJsonToken(const QString& text, qsizetype at)
{
    at = skipSpace(text, at);
    if (at >= text.size())
        return {at, 0, JsonToken::None};
    const auto c = text[at];
    if (isPunctuation(c))
        return {at, 1, JsonToken::Punctuation};
    if (c == u'"') {
        const auto end = endOfString(text, at);
        const auto after = skipSpace(text, end);
        const bool key = after < text.size() && text[after] == u':';
        return {at, end - at, key ? JsonToken::Key : JsonToken::String};
    }
    auto end = at;
    while (end < text.size() && !isSpace(text[end]) && !isPunctuation(text[end]) && text[end] != u'"')
        ++end;
    const bool number = c == u'-' || (c >= u'0' && c <= u'9');
    return {at, end - at, number ? JsonToken::Number : c.isLetter() ? JsonToken::Word : JsonToken::None};
}

QString layOutJson(const QString& text)
{
    const auto trimmed = text.trimmed();
    if (!trimmed.startsWith(u'{') && !trimmed.startsWith(u'['))
        return {};
    QJsonParseError error;
    QJsonDocument::fromJson(text.toUtf8(), &error);
    if (error.error != QJsonParseError::NoError)
        return {};
    QString out;
    out.reserve(text.size() + text.size() / 2);
    int depth = 0;
    for (auto span = nextJsonToken(text, 0); span.length > 0;
         span = nextJsonToken(text, span.from + span.length)) {
        const auto c = text[span.from];
        const auto piece = QStringView(text).mid(span.from, span.length);
        if (span.token != JsonToken::Punctuation) {
            out += piece;
        } else if (c == u'{' || c == u'[') {
            const auto closing = nextJsonToken(text, span.from + 1);
            out += c;
            if (closing.length == 1 && (text[closing.from] == u'}' || text[closing.from] == u']')) {
                out += text[closing.from]; // empty: stays on the line
                span = closing;
                continue;
            }
            newLine(out, ++depth);
        } else if (c == u'}' || c == u']') {
            newLine(out, --depth);
            out += c;
        } else if (c == u',') {
            out += c;
            newLine(out, depth);
        } else {
            out += u": "_s;
        }
    }
    return out;
}

} // namespace redrive
