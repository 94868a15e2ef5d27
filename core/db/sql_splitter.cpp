#include "core/db/sql_splitter.h"

#include "core/db/sql_scanner.h"

#include <utility>

namespace redrive {

namespace {

// Follows one statement far enough to know whether a semicolon ends it. A trigger ends with "; END ;" as in
// sqlite3_complete(): an END of a CASE never follows a semicolon.
class StatementEnd final
{
public:
    bool endsWith(const SqlScanner& scanner, const SqlToken& token)
    {
        const bool isSemicolon = token.kind == SqlToken::Semicolon;
        const bool ends = isSemicolon && (!m_isTrigger || m_sawEnd);
        m_sawEnd = m_isTrigger && m_afterSemicolon && scanner.isWord(token, u"END");
        m_afterSemicolon = isSemicolon;
        if (m_inHead)
            readHead(scanner, token);
        return ends;
    }

private:
    void readHead(const SqlScanner& scanner, const SqlToken& token)
    {
        if (scanner.isWord(token, u"TRIGGER")) {
            m_isTrigger = m_sawCreate;
            m_inHead = false;
        } else if (scanner.isWord(token, u"CREATE")) {
            m_sawCreate = true;
        } else {
            m_inHead = scanner.isWord(token, u"TEMP") || scanner.isWord(token, u"TEMPORARY") ||
                       scanner.isWord(token, u"EXPLAIN");
        }
    }

    bool m_inHead = true;
    bool m_sawCreate = false;
    bool m_isTrigger = false;
    bool m_sawEnd = false;
    bool m_afterSemicolon = false;
};

} // namespace

QList<SqlStatement> splitSql(QStringView script)
{
    QList<SqlStatement> statements;
    SqlScanner scanner(script);
    StatementEnd end;
    qsizetype start = -1;
    qsizetype lastTokenEnd = 0;
    qsizetype countedTo = 0;
    int line = 1;
    const auto finish = [&] {
        if (start >= 0) {
            line += int(script.mid(countedTo, start - countedTo).count(u'\n'));
            countedTo = start;
            statements.append({script.mid(start, lastTokenEnd - start).toString(), line});
        }
        start = -1;
        end = StatementEnd();
    };
    for (SqlToken token = scanner.next(); token.kind != SqlToken::End; token = scanner.next()) {
        if (start < 0 && token.kind == SqlToken::Semicolon)
            continue;
        if (end.endsWith(scanner, token)) {
            finish();
            continue;
        }
        if (start < 0)
            start = token.start;
        lastTokenEnd = token.end;
    }
    finish();
    return statements;
}

std::optional<AddedColumn> addedColumn(const QString& statement)
{
    SqlScanner scanner(statement);
    if (!scanner.isWord(scanner.next(), u"ALTER") || !scanner.isWord(scanner.next(), u"TABLE"))
        return std::nullopt;
    const QString table = sqlName(scanner.textOf(scanner.next()));
    if (!scanner.isWord(scanner.next(), u"ADD"))
        return std::nullopt;
    SqlToken column = scanner.next();
    if (scanner.isWord(column, u"COLUMN"))
        column = scanner.next();
    return AddedColumn{table, sqlName(scanner.textOf(column))};
}

TransactionWord transactionWord(const QString& statement)
{
    SqlScanner scanner(statement);
    const SqlToken first = scanner.next();
    if (scanner.isWord(first, u"BEGIN"))
        return TransactionWord::Begin;
    if (scanner.isWord(first, u"COMMIT") || scanner.isWord(first, u"END"))
        return TransactionWord::Commit;
    if (!scanner.isWord(first, u"ROLLBACK"))
        return TransactionWord::None;
    SqlToken second = scanner.next();
    if (scanner.isWord(second, u"TRANSACTION"))
        second = scanner.next();
    return scanner.isWord(second, u"TO") ? TransactionWord::None : TransactionWord::Rollback;
}

} // namespace redrive
