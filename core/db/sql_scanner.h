// Tokens of SQL text, comments and white space left out. Pure.
// Source of the token rules: https://www.sqlite.org/lang_expr.html and sqlite3_complete().
#pragma once

#include <QString>

namespace redrive {

struct SqlToken
{
    enum Kind { Word, Quoted, Semicolon, Other, End };

    Kind kind = End;
    qsizetype start = 0; // character positions in the text; end is one past
    qsizetype end = 0;
};

class SqlScanner final
{
public:
    explicit SqlScanner(QStringView text) : m_text(text) {}

    SqlToken next();
    QStringView textOf(const SqlToken& token) const
    {
        return m_text.mid(token.start, token.end - token.start);
    }
    // Case does not matter.
    bool isWord(const SqlToken& token, QStringView word) const
    {
        return token.kind == SqlToken::Word && textOf(token).compare(word, Qt::CaseInsensitive) == 0;
    }

private:
    void skipSpaceAndComments();
    bool startsWith(QStringView text) const { return m_text.mid(m_at).startsWith(text); }

    QStringView m_text;
    qsizetype m_at = 0;
};

// The name in an identifier token: "a""b" is a"b.
QString sqlName(QStringView token);
// "a""b": a name as an identifier in a statement.
QString quotedSqlName(const QString& name);

} // namespace redrive
