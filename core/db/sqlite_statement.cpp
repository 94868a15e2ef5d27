#include "core/db/sqlite_statement.h"

#include "core/db/sqlite_errors.h"

#include <sqlite3.h>

namespace redrive {

Result<std::unique_ptr<SqliteStatement>> SqliteStatement::prepare(sqlite3* database, const QString& sql,
                                                                  Use use)
{
    const QString doing = u"preparing a statement"_s;
    if (!database)
        return fail(ErrorKind::ConnectionLost, doing, u"the database is not open"_s);
    const QByteArray utf8 = sql.toUtf8();
    sqlite3_stmt* made = nullptr;
    const char* rest = nullptr;
    const unsigned flags = use == Use::Kept ? SQLITE_PREPARE_PERSISTENT : 0;
    if (sqlite3_prepare_v3(database, utf8.constData(), int(utf8.size()) + 1, flags, &made, &rest) !=
        SQLITE_OK)
        return fail(lastSqliteError(database, doing));
    if (!made)
        return fail(ErrorKind::InvalidInput, doing, u"there is no statement"_s);
    std::unique_ptr<SqliteStatement> statement(new SqliteStatement(database, made));
    if (!QByteArrayView(rest, utf8.constEnd()).trimmed().isEmpty())
        return fail(ErrorKind::InvalidInput, doing, u"one statement at a time"_s);
    return statement;
}

SqliteStatement::~SqliteStatement()
{
    sqlite3_finalize(m_statement);
}

bool SqliteStatement::bindInt64(int position, qint64 value)
{
    return sqlite3_bind_int64(m_statement, position, value) == SQLITE_OK;
}

bool SqliteStatement::bindDouble(int position, double value)
{
    return sqlite3_bind_double(m_statement, position, value) == SQLITE_OK;
}

bool SqliteStatement::bindText(int position, const QString& value)
{
    const QByteArray& kept = keep(value.toUtf8());
    return sqlite3_bind_text64(m_statement, position, kept.constData(), sqlite3_uint64(kept.size()),
                               SQLITE_STATIC, SQLITE_UTF8) == SQLITE_OK;
}

bool SqliteStatement::bindBlob(int position, const QByteArray& value)
{
    const QByteArray& kept = keep(value);
    return sqlite3_bind_blob64(m_statement, position, kept.constData(), sqlite3_uint64(kept.size()),
                               SQLITE_STATIC) == SQLITE_OK;
}

bool SqliteStatement::bindNull(int position)
{
    return sqlite3_bind_null(m_statement, position) == SQLITE_OK;
}

// Shares the bytes, which stay where they are however many more are kept.
const QByteArray& SqliteStatement::keep(QByteArray bytes)
{
    return m_bound.emplace_back(bytes.isNull() ? QByteArray("") : std::move(bytes));
}

int SqliteStatement::parameters() const
{
    return sqlite3_bind_parameter_count(m_statement);
}

SqliteStatement::Step SqliteStatement::step()
{
    switch (sqlite3_step(m_statement)) {
    case SQLITE_ROW:
        return Step::Row;
    case SQLITE_DONE:
        return Step::Done;
    default:
        return Step::Failed;
    }
}

qint64 SqliteStatement::changedRows() const
{
    return sqlite3_changes(m_database);
}

Error SqliteStatement::error() const
{
    return lastSqliteError(m_database, u"running a statement"_s);
}

QByteArray SqliteStatement::sql() const
{
    return sqlite3_sql(m_statement);
}

void SqliteStatement::reset()
{
    sqlite3_reset(m_statement);
    m_bound.clear();
}

qint64 SqliteStatement::int64(int column) const
{
    return sqlite3_column_int64(m_statement, column);
}

double SqliteStatement::real(int column) const
{
    return sqlite3_column_double(m_statement, column);
}

QString SqliteStatement::text(int column) const
{
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(m_statement, column));
    return text ? QString::fromUtf8(text, sqlite3_column_bytes(m_statement, column)) : QString();
}

QByteArray SqliteStatement::bytes(int column) const
{
    if (isNull(column))
        return {};
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(m_statement, column));
    return bytes ? QByteArray(bytes, sqlite3_column_bytes(m_statement, column)) : QByteArray("");
}

bool SqliteStatement::isNull(int column) const
{
    return sqlite3_column_type(m_statement, column) == SQLITE_NULL;
}

} // namespace redrive
