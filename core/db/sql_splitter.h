// Statements of a script. Pure.
#pragma once

#include <QList>
#include <QString>

#include <optional>

namespace redrive {

struct SqlStatement
{
    QString text; // without its semicolon and the comments around it; otherwise unchanged
    int line = 1; // where it starts
};

// Semicolons in literals, quoted names, comments and trigger bodies end no statement. The last statement
// needs no semicolon.
QList<SqlStatement> splitSql(QStringView script);

struct AddedColumn
{
    QString table;
    QString column;
};
// What an ALTER TABLE … ADD COLUMN adds; nothing for other statements.
std::optional<AddedColumn> addedColumn(const QString& statement);

enum class TransactionWord { None, Begin, Commit, Rollback };
// Whether the statement begins or ends a transaction. Savepoints do not.
TransactionWord transactionWord(const QString& statement);

} // namespace redrive
