#include "core/db/query.h"

#include "core/base/log.h"

namespace redrive {

namespace {
constexpr qint64 kLongMs = 2'000;
}

Query::Query(SqliteStatement& kept) : m_statement(&kept) {}

Query::Query(std::unique_ptr<SqliteStatement> owned) : m_owned(std::move(owned)), m_statement(m_owned.get())
{
}

Query::Query(Error error) : m_error(std::move(error)) {}

Query::Query(Query&& other) noexcept
    : m_owned(std::move(other.m_owned)), m_statement(std::exchange(other.m_statement, nullptr)),
      m_error(std::move(other.m_error)), m_position(other.m_position), m_executed(other.m_executed),
      m_ended(other.m_ended), m_open(other.m_open)
{
}

Query::~Query()
{
    if (!m_statement)
        return;
    if (m_executed && m_open.hasExpired(kLongMs))
        logEvent(LogLevel::Warning, "statement_open_long",
                 {{"ms", QString::number(m_open.elapsed())},
                  {"statement", QString::fromUtf8(m_statement->sql())}});
    m_statement->reset();
}

Query& Query::bind(qint64 value)
{
    return bound(m_statement && m_statement->bindInt64(++m_position, value));
}

Query& Query::bind(double value)
{
    return bound(m_statement && m_statement->bindDouble(++m_position, value));
}

Query& Query::bind(const QString& value)
{
    return bound(m_statement && m_statement->bindText(++m_position, value));
}

Query& Query::bind(const QByteArray& value)
{
    return bound(m_statement && m_statement->bindBlob(++m_position, value));
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
    return bound(m_statement && m_statement->bindNull(++m_position));
}

Query& Query::bound(bool done)
{
    if (!done && !m_error)
        m_error = m_statement->error();
    return *this;
}

Query& Query::bindNumbers(const std::vector<qint64>& values)
{
    QByteArray list = "[";
    for (const qint64 value : values)
        list += QByteArray::number(value) + ',';
    if (!values.empty())
        list.chop(1);
    return bind(QString::fromLatin1(list + ']'));
}

SqliteStatement::Step Query::step()
{
    if (!m_executed) {
        m_executed = true;
        m_open.start();
        if (m_position != m_statement->parameters()) {
            m_error = Error{ErrorKind::Internal,
                            u"running a statement"_s,
                            u"it has %1 parameters, %2 values were bound"_s.arg(m_statement->parameters())
                                .arg(m_position),
                            {}};
            return SqliteStatement::Step::Failed;
        }
    }
    const SqliteStatement::Step step = m_statement->step();
    m_ended = step != SqliteStatement::Step::Row;
    if (step == SqliteStatement::Step::Failed)
        m_error = m_statement->error();
    return step;
}

Result<qint64> Query::run()
{
    if (!m_statement || m_error)
        return fail(m_error.value_or(Error{}));
    while (!m_ended)
        if (step() == SqliteStatement::Step::Failed)
            return fail(*m_error);
    return m_statement->changedRows();
}

bool Query::next()
{
    return m_statement && !m_error && !m_ended && step() == SqliteStatement::Step::Row;
}

Status Query::status() const
{
    return m_error ? Status(fail(*m_error)) : Status();
}

bool Query::onRow() const
{
    return m_executed && !m_ended && !m_error;
}

qint64 Query::int64(int column) const
{
    return onRow() ? m_statement->int64(column) : 0;
}

std::optional<qint64> Query::optInt64(int column) const
{
    return isNull(column) ? std::nullopt : std::optional(int64(column));
}

double Query::real(int column) const
{
    return onRow() ? m_statement->real(column) : 0;
}

QString Query::text(int column) const
{
    return onRow() ? m_statement->text(column) : QString();
}

QByteArray Query::bytes(int column) const
{
    return onRow() ? m_statement->bytes(column) : QByteArray();
}

bool Query::isNull(int column) const
{
    return !onRow() || m_statement->isNull(column);
}

} // namespace redrive
