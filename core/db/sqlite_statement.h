// A prepared statement of the embedded database, run on the connection that Qt's driver has opened. The
// driver's own QSqlQuery makes a name, a hash entry and a QVariant for each value bound, and a record of the
// columns for each execution: over a third of what a small statement costs. Belongs to its connection's
// thread and ends before it. Source: https://www.sqlite.org/c3ref/stmt.html
#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QString>

#include <memory>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace redrive {

class SqliteStatement final
{
public:
    enum class Use { Once, Kept };
    enum class Step { Row, Done, Failed };

    // One statement, not several.
    static Result<std::unique_ptr<SqliteStatement>> prepare(sqlite3* database, const QString& sql, Use use);
    ~SqliteStatement();
    SqliteStatement(const SqliteStatement&) = delete;
    SqliteStatement& operator=(const SqliteStatement&) = delete;

    // Positions from 1. Each is bound anew for every execution. False: see error().
    bool bindInt64(int position, qint64 value);
    bool bindDouble(int position, double value);
    bool bindText(int position, const QString& value);
    bool bindBlob(int position, const QByteArray& value);
    bool bindNull(int position);
    int parameters() const;

    Step step();
    qint64 changedRows() const; // by the last statement of the connection that changed any
    Error error() const;        // of what failed just now
    QByteArray sql() const;
    // Ends the execution: no snapshot or lock of it stays.
    void reset();

    // Of the current row; columns from 0.
    qint64 int64(int column) const;
    double real(int column) const;
    QString text(int column) const;
    QByteArray bytes(int column) const;
    bool isNull(int column) const;

private:
    SqliteStatement(sqlite3* database, sqlite3_stmt* statement) : m_database(database), m_statement(statement)
    {
    }
    const QByteArray& keep(QByteArray bytes);

    sqlite3* m_database;
    sqlite3_stmt* m_statement;
    std::vector<QByteArray> m_bound; // what the statement points to until it is reset
};

} // namespace redrive
