#include "core/db/query.h"

#include "core/base/log.h"
#include "core/db/sqlite_errors.h"

#include <QSqlError>
#include <QVariant>

namespace redrive {

namespace {
constexpr qint64 kLongMs = 2'000;
}

Query::Query(QSqlQuery& prepared, QString doing) : m_query(&prepared), m_doing(std::move(doing)) {}

Query::Query(QSqlQuery&& owned, QString doing)
    : m_owned(std::move(owned)), m_query(&*m_owned), m_doing(std::move(doing))
{
}

Query::Query(Error error) : m_error(std::move(error)) {}

Query::Query(Query&& other) noexcept
    : m_owned(std::move(other.m_owned)), m_query(m_owned ? &*m_owned : other.m_query),
      m_doing(std::move(other.m_doing)), m_error(std::move(other.m_error)), m_position(other.m_position),
      m_executed(other.m_executed), m_open(other.m_open)
{
    other.m_query = nullptr;
    other.m_owned.reset();
}

Query::~Query()
{
    if (!m_query || !m_executed)
        return;
    if (m_open.hasExpired(kLongMs))
        logEvent(LogLevel::Warning, "statement_open_long",
                 {{"ms", QString::number(m_open.elapsed())}, {"statement", m_query->lastQuery()}});
    m_query->finish();
}

Query& Query::bind(qint64 value)
{
    if (m_query)
        m_query->bindValue(m_position++, value);
    return *this;
}

Query& Query::bind(double value)
{
    if (m_query)
        m_query->bindValue(m_position++, value);
    return *this;
}

Query& Query::bind(const QString& value)
{
    if (m_query)
        m_query->bindValue(m_position++, value.isNull() ? QVariant(QLatin1String("")) : QVariant(value));
    return *this;
}

Query& Query::bind(const QByteArray& value)
{
    if (m_query)
        m_query->bindValue(m_position++, value.isNull() ? QVariant(QByteArray("")) : QVariant(value));
    return *this;
}

Query& Query::bind(const std::optional<qint64>& value)
{
    return value ? bind(*value) : bindNull();
}

Query& Query::bindTextOrNull(const QString& value)
{
    return value.isEmpty() ? bindNull() : bind(value);
}

Query& Query::bindNull()
{
    if (m_query)
        m_query->bindValue(m_position++, QVariant());
    return *this;
}

bool Query::execute()
{
    if (!m_query)
        return false;
    m_executed = true;
    m_open.start();
    if (m_query->exec())
        return true;
    m_error = errorFromSqlite(m_query->lastError(), m_doing);
    return false;
}

Result<qint64> Query::run()
{
    if (!execute())
        return fail(m_error.value_or(Error{}));
    return m_query->numRowsAffected();
}

bool Query::next()
{
    if (m_error || (!m_executed && !execute()))
        return false;
    if (m_query->next())
        return true;
    if (m_query->lastError().isValid())
        m_error = errorFromSqlite(m_query->lastError(), m_doing);
    return false;
}

Status Query::status() const
{
    return m_error ? Status(fail(*m_error)) : Status();
}

qint64 Query::int64(int column) const
{
    return m_query->value(column).toLongLong();
}

std::optional<qint64> Query::optInt64(int column) const
{
    const QVariant value = m_query->value(column);
    return value.isNull() ? std::nullopt : std::optional(value.toLongLong());
}

double Query::real(int column) const
{
    return m_query->value(column).toDouble();
}

QString Query::text(int column) const
{
    return m_query->value(column).toString();
}

QByteArray Query::bytes(int column) const
{
    return m_query->value(column).toByteArray();
}

bool Query::isNull(int column) const
{
    return m_query->isNull(column);
}

} // namespace redrive
