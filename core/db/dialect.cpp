#include "core/db/dialect.h"

#include <QRegularExpression>

namespace redrive {

QString sqliteSql(const char* statement)
{
    static const QRegularExpression exact(QStringLiteral(R"(\{exact:([^}]*)\})"));
    static const QRegularExpression bytes(QStringLiteral(R"(\{bytes:([^}]*)\})"));
    QString sql = QString::fromUtf8(statement);
    sql.replace(exact, QStringLiteral("CAST(\\1 AS TEXT)"));
    sql.replace(bytes, QStringLiteral("CAST(\\1 AS BLOB)"));
    sql.replace(QStringLiteral("{rowkey}"), QStringLiteral("rowid"));
    return sql;
}

} // namespace redrive
