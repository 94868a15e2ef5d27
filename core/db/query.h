// One execution of a statement: bind in order, then run() or step through rows. Typed binds only. Belongs to
// its connection's thread; finishes itself, so no read snapshot stays open; one that is open for over 2 s is
// logged.
#pragma once

#include "core/db/sqlite_statement.h"

#include <QByteArray>
#include <QElapsedTimer>
#include <QString>

#include <memory>
#include <optional>

namespace redrive {

class Query final
{
public:
    explicit Query(SqliteStatement& kept);
    explicit Query(std::unique_ptr<SqliteStatement> owned);
    explicit Query(Error error); // a statement that could not be prepared
    ~Query();
    Query(Query&& other) noexcept;
    Query& operator=(Query&&) = delete;

    Query& bind(qint64 value);
    Query& bind(int value) { return bind(qint64(value)); }
    Query& bind(bool value) { return bind(qint64(value)); }
    Query& bind(double value);
    Query& bind(const QString& value);    // a null QString is stored as empty text
    Query& bind(const QByteArray& value); // a blob, or text through {exact:?}
    Query& bind(const char*) = delete;
    Query& bind(quint64) = delete;
    Query& bind(const std::optional<qint64>& value);
    Query& bindTextOrNull(const QString& value); // empty becomes NULL
    Query& bindNull();
    Query& bindNumbers(const std::vector<qint64>& values); // through {numbers:?}

    // Runs a statement without rows. Returns the number of changed rows.
    Result<qint64> run();
    // Steps to the next row; executes first when needed. False at the end or after an error: see status().
    bool next();
    // The error that ended the rows, if any. Every row loop asks.
    Status status() const;

    qint64 int64(int column) const;
    std::optional<qint64> optInt64(int column) const;
    double real(int column) const;
    QString text(int column) const; // NULL is an empty text
    QByteArray bytes(int column) const;
    bool isNull(int column) const;

private:
    Query& bound(bool done);
    SqliteStatement::Step step();
    bool onRow() const;

    std::unique_ptr<SqliteStatement> m_owned;
    SqliteStatement* m_statement = nullptr;
    std::optional<Error> m_error;
    int m_position = 0; // of the last value bound
    bool m_executed = false;
    bool m_ended = false; // there are no more rows
    QElapsedTimer m_open; // since it was executed
};

} // namespace redrive
