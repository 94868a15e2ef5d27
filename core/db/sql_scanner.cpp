#include "core/db/sql_scanner.h"

namespace redrive {

namespace {

bool isSpace(QChar c)
{
    return c == u' ' || c == u'\t' || c == u'\n' || c == u'\r' || c == u'\f';
}

bool isWordCharacter(QChar c)
{
    return c.unicode() >= 0x80 || (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') ||
           (c >= u'0' && c <= u'9') || c == u'_' || c == u'$';
}

// One past the closing quote. A doubled quote stands for itself, except in brackets.
qsizetype endOfQuoted(QStringView text, qsizetype start)
{
    const QChar close = text[start] == u'[' ? u']' : text[start];
    for (qsizetype at = start + 1; at < text.size(); ++at) {
        if (text[at] != close)
            continue;
        if (close != u']' && at + 1 < text.size() && text[at + 1] == close)
            ++at;
        else
            return at + 1;
    }
    return text.size();
}

} // namespace

void SqlScanner::skipSpaceAndComments()
{
    while (m_at < m_text.size()) {
        if (isSpace(m_text[m_at])) {
            ++m_at;
        } else if (startsWith(u"--")) {
            const qsizetype end = m_text.indexOf(u'\n', m_at);
            m_at = end < 0 ? m_text.size() : end + 1;
        } else if (startsWith(u"/*")) {
            const qsizetype end = m_text.indexOf(QStringView(u"*/"), m_at + 2);
            m_at = end < 0 ? m_text.size() : end + 2;
        } else {
            return;
        }
    }
}

SqlToken SqlScanner::next()
{
    skipSpaceAndComments();
    SqlToken token{SqlToken::End, m_at, m_at};
    if (m_at >= m_text.size())
        return token;
    const QChar first = m_text[m_at];
    if (first == u'\'' || first == u'"' || first == u'`' || first == u'[') {
        token.kind = SqlToken::Quoted;
        m_at = endOfQuoted(m_text, m_at);
    } else if (isWordCharacter(first)) {
        token.kind = SqlToken::Word;
        while (m_at < m_text.size() && isWordCharacter(m_text[m_at]))
            ++m_at;
    } else {
        token.kind = first == u';' ? SqlToken::Semicolon : SqlToken::Other;
        ++m_at;
    }
    token.end = m_at;
    return token;
}

QString sqlName(QStringView token)
{
    if (token.size() < 2)
        return token.toString();
    const QChar quote = token.front();
    if (quote == u'[')
        return token.mid(1, token.size() - 2).toString();
    if (quote != u'"' && quote != u'`' && quote != u'\'')
        return token.toString();
    return token.mid(1, token.size() - 2).toString().replace(QString(2, quote), QString(quote));
}

QString quotedSqlName(const QString& name)
{
    QString doubled = name;
    return u'"' + doubled.replace(u'"', QStringLiteral("\"\"")) + u'"';
}

} // namespace redrive
