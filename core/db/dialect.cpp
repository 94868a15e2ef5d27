#include "core/db/dialect.h"

namespace redrive {

namespace {

struct Token
{
    QLatin1String opening;
    QLatin1String before; // what the opening becomes
    QLatin1String after;  // what the closing brace becomes
};

constexpr Token kTokens[] = {
    {QLatin1String("{exact:"), QLatin1String("CAST("), QLatin1String(" AS TEXT)")},
    {QLatin1String("{bytes:"), QLatin1String("CAST("), QLatin1String(" AS BLOB)")},
    {QLatin1String("{rowkey"), QLatin1String("rowid"), QLatin1String("")},
};

void replaceToken(QString& sql, const Token& token)
{
    for (qsizetype at = sql.indexOf(token.opening); at >= 0; at = sql.indexOf(token.opening, at)) {
        const qsizetype end = sql.indexOf(u'}', at);
        if (end < 0)
            return;
        sql.replace(end, 1, token.after);
        sql.replace(at, token.opening.size(), token.before);
    }
}

} // namespace

QString sqliteSql(const char* statement)
{
    QString sql = QString::fromUtf8(statement);
    for (const Token& token : kTokens)
        replaceToken(sql, token);
    return sql;
}

} // namespace redrive
