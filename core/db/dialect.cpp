#include "core/db/dialect.h"

namespace redrive {

namespace {

struct Token
{
    QLatin1String opening;
    QLatin1String before;                  // what the opening becomes
    QLatin1String after;                   // what the closing brace becomes
    QLatin1String again = QLatin1String(); // after it what stands inside comes once more; empty: it does not
};

constexpr Token kTokens[] = {
    {QLatin1String("{exact:"), QLatin1String("CAST("), QLatin1String(" AS TEXT)")},
    {QLatin1String("{bytes:"), QLatin1String("CAST("), QLatin1String(" AS BLOB)")},
    {QLatin1String("{json:"), QLatin1String("(CASE WHEN json_valid("), QLatin1String(" END)"),
     QLatin1String(") THEN ")},
    {QLatin1String("{numbers:"), QLatin1String("(SELECT value FROM json_each("), QLatin1String("))")},
    {QLatin1String("{rowkey"), QLatin1String("rowid"), QLatin1String("")},
};

void replaceToken(QString& sql, const Token& token)
{
    for (qsizetype at = sql.indexOf(token.opening); at >= 0; at = sql.indexOf(token.opening, at)) {
        const qsizetype end = sql.indexOf(u'}', at);
        if (end < 0)
            return;
        QString after = token.after;
        if (!token.again.isEmpty()) {
            const qsizetype begin = at + token.opening.size();
            after = token.again + sql.mid(begin, end - begin) + after;
        }
        sql.replace(end, 1, after);
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

QString jsonPath(const QStringList& keys)
{
    QString path = QStringLiteral("$");
    for (const QString& key : keys) {
        bool isPlace = false;
        key.toUInt(&isPlace);
        path += isPlace ? u'[' + key + u']' : QStringLiteral(".\"%1\"").arg(key);
    }
    return path;
}

} // namespace redrive
