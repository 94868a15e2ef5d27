#include "core/store/source_scan.h"

namespace redrive {

namespace {

void bindKey(Query& query, const std::vector<std::variant<QString, qint64>>& key)
{
    for (const auto& part : key)
        std::visit([&query](const auto& value) { query.bind(value); }, part);
}

QString tuple(const QStringList& parts)
{
    return parts.size() == 1 ? parts.first() : u'(' + parts.join(u", ") + u')';
}

} // namespace

SourceScan::SourceScan(ListSource source, FilterSql filter, bool ascending, QString value)
    : m_source(std::move(source)), m_filter(std::move(filter)), m_ascending(ascending),
      m_value(std::move(value))
{
}

QStringList SourceScan::columns() const
{
    QStringList names;
    for (const OrderColumn& column : m_source.order)
        names.append(column.name);
    return names;
}

// One lower bound at most: of two the database would seek by either.
QString SourceScan::conditions(bool hasEnd) const
{
    const QString places = tuple(QStringList(m_source.order.size(), u"?"_s));
    const QString& first = m_source.order.first().name;
    QStringList parts;
    if (!m_source.condition.isEmpty())
        parts.append(m_source.condition);
    if (m_ascending ? m_after.has_value() : hasEnd)
        parts.append(tuple(columns()) + (m_ascending ? u" > "_s : u" >= "_s) + places);
    else if (m_source.low)
        parts.append(first + u" >= ?"_s);
    else if (m_source.idsMayBeMissing)
        parts.append(first + u" >= ''"_s);
    if (m_ascending ? hasEnd : m_after.has_value())
        parts.append(tuple(columns()) + (m_ascending ? u" <= "_s : u" < "_s) + places);
    else if (m_source.high)
        parts.append(first + u" <= ?"_s);
    return parts.join(u" AND ");
}

void SourceScan::bindConditions(Query& query, const Key* end) const
{
    const Key* after = m_after ? &*m_after : nullptr;
    bindKey(query, m_source.conditionBinds);
    if (const Key* lower = m_ascending ? after : end)
        bindKey(query, *lower);
    else if (m_source.low)
        query.bind(*m_source.low);
    if (const Key* upper = m_ascending ? end : after)
        bindKey(query, *upper);
    else if (m_source.high)
        query.bind(*m_source.high);
}

QString SourceScan::orderBy(bool reversed, const QStringList& columns) const
{
    QStringList parts;
    for (const QString& column : columns)
        parts.append(column + (m_ascending != reversed ? u" ASC"_s : u" DESC"_s));
    return u" ORDER BY "_s + parts.join(u", ");
}

QString SourceScan::boundaryStatement() const
{
    QStringList selected;
    QStringList names;
    for (const QString& column : columns()) {
        names.append(u"k%1"_s.arg(names.size()));
        selected.append(column + u" AS "_s + names.last());
    }
    return u"WITH w AS (SELECT %1 FROM %2 WHERE %3%4 LIMIT ?) SELECT %5, (SELECT count(*) FROM w) FROM w%6 LIMIT 1"_s
        .arg(selected.join(u", "), m_source.from, conditions(false), orderBy(false, columns()),
             names.join(u", "), orderBy(true, names));
}

QString SourceScan::matchStatement(bool hasEnd) const
{
    QString sql = u"SELECT "_s + m_source.rowKey;
    if (!m_value.isEmpty())
        sql += u", "_s + m_value;
    sql += u" FROM "_s + m_source.from + u" WHERE "_s + conditions(hasEnd);
    if (!m_source.rowCondition.isEmpty())
        sql += u" AND "_s + m_source.rowCondition;
    if (!m_filter.where.isEmpty())
        sql += u" AND ("_s + m_filter.where + u')';
    return sql + orderBy(false, columns());
}

Result<SourceScan::Window> SourceScan::nextWindow(Connection& connection, int rows) const
{
    auto query = connection.dynamicQuery(boundaryStatement());
    bindConditions(query, nullptr);
    query.bind(rows);
    Window window;
    if (query.next()) {
        int column = 0;
        for (const OrderColumn& order : m_source.order) {
            if (order.isNumber)
                window.last.emplace_back(query.int64(column++));
            else
                window.last.emplace_back(query.text(column++));
        }
        window.rows = query.int64(column);
    }
    REDRIVE_TRY(query.status());
    return window;
}

Status SourceScan::step(Connection& connection, int rows,
                        const std::function<void(qint64, const Query&)>& onMatch)
{
    if (m_atEnd)
        return {};
    Window window;
    if (!m_source.oneRow) {
        REDRIVE_ASSIGN(found, nextWindow(connection, rows));
        window = std::move(found);
    }
    // The last window is open, so that rows made since are not lost between two statements.
    const bool hasEnd = window.rows >= rows;
    auto query = connection.dynamicQuery(matchStatement(hasEnd));
    bindConditions(query, hasEnd ? &window.last : nullptr);
    m_filter.bindTo(query);
    while (query.next())
        onMatch(query.int64(0) * m_source.keyFactor + m_source.keyOffset, query);
    REDRIVE_TRY(query.status());
    m_searched += window.rows;
    m_atEnd = !hasEnd;
    if (hasEnd)
        m_after = std::move(window.last);
    return {};
}

std::optional<qint64> SourceScan::frontier() const
{
    if (!m_after)
        return std::nullopt;
    const qint64* number = std::get_if<qint64>(&m_after->front());
    return number ? std::optional(*number) : std::nullopt;
}

} // namespace redrive
