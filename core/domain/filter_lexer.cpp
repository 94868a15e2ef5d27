#include "core/domain/filter_lexer.h"

namespace redrive {

namespace {

bool isFieldCharacter(QChar c)
{
    return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || (c >= u'0' && c <= u'9') || c == u'_' ||
           c == u'.';
}

bool isLetter(QChar c)
{
    return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z');
}

} // namespace

FilterToken FilterLexer::simple(FilterToken::Kind kind, qsizetype length)
{
    FilterToken token;
    token.kind = kind;
    token.position = m_at;
    token.length = length;
    m_at += length;
    return token;
}

// A minus belongs to a word of its own when nothing to negate follows it, so that "--" is looked for as it
// is.
bool FilterLexer::startsNegation() const
{
    return m_text[m_at] == u'-' && m_at + 1 < m_text.size() && !m_text[m_at + 1].isSpace() &&
           m_text[m_at + 1] != u'-' && m_text[m_at + 1] != u')';
}

// The field that a term begins with, or nothing: a colon of a URL (https://…) or of a time (12:30) is text.
void FilterLexer::takeField(FilterToken& token)
{
    if (!isLetter(m_text[m_at]))
        return;
    qsizetype end = m_at;
    while (end < m_text.size() && isFieldCharacter(m_text[end]))
        ++end;
    if (end >= m_text.size() || m_text[end] != u':' || m_text.mid(end).startsWith(u"://"))
        return;
    const QString written = m_text.mid(m_at, end - m_at).toString();
    token.field = written.toLower();
    if (const QLatin1String payload("payload."); token.field.startsWith(payload)) {
        token.path = written.mid(payload.size());
        token.field.truncate(payload.size() - 1);
    }
    m_at = end + 1;
}

tl::expected<QString, FilterFault> FilterLexer::takeQuoted()
{
    const qsizetype start = m_at;
    QString text;
    for (++m_at; !atEnd(); ++m_at) {
        const QChar c = m_text[m_at];
        if (c == u'"') {
            ++m_at;
            return text;
        }
        const bool escapes =
            c == u'\\' && m_at + 1 < m_text.size() && (m_text[m_at + 1] == u'"' || m_text[m_at + 1] == u'\\');
        if (escapes)
            ++m_at;
        text += m_text[m_at];
    }
    if (m_wasCut)
        return text;
    return tl::unexpected(FilterFault{u"The quotation mark is not closed."_s, start, m_text.size() - start});
}

// Parentheses inside a word are part of it as long as they are balanced.
QString FilterLexer::takeWord()
{
    const qsizetype start = m_at;
    int inner = 0;
    for (; !atEnd() && !m_text[m_at].isSpace(); ++m_at) {
        if (m_text[m_at] == u'(')
            ++inner;
        if (m_text[m_at] == u')' && --inner < 0 && m_groups > 0)
            break;
    }
    return m_text.mid(start, m_at - start).toString();
}

tl::expected<FilterToken, FilterFault> FilterLexer::next()
{
    while (!atEnd() && m_text[m_at].isSpace())
        ++m_at;
    if (atEnd())
        return simple(FilterToken::End, 0);
    if (m_text[m_at] == u'(') {
        ++m_groups;
        return simple(FilterToken::Open, 1);
    }
    if (m_text[m_at] == u')') {
        if (--m_groups < 0)
            return tl::unexpected(FilterFault{u"')' has no '(' before it."_s, m_at, 1});
        return simple(FilterToken::Close, 1);
    }
    if (startsNegation())
        return simple(FilterToken::Not, 1);

    FilterToken token;
    token.kind = FilterToken::Value;
    token.position = m_at;
    takeField(token);
    token.valuePosition = m_at;
    if (!atEnd() && m_text[m_at] == u'"') {
        auto text = takeQuoted();
        if (!text)
            return tl::unexpected(text.error());
        token.text = *text;
        token.quoted = true;
    } else {
        token.text = takeWord();
    }
    token.length = m_at - token.position;
    if (token.field.isEmpty() && !token.quoted) {
        if (token.text == u"AND")
            token.kind = FilterToken::And;
        else if (token.text == u"OR")
            token.kind = FilterToken::Or;
        else if (token.text == u"NOT")
            token.kind = FilterToken::Not;
    }
    return token;
}

} // namespace redrive
