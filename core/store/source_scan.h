// Reads one source in bounded windows by its index, so that other work can go between them: no window reads
// more than the rows it is allowed, whatever the filter. The reading connection's thread.
#pragma once

#include "core/db/connection.h"
#include "core/store/list_source.h"

#include <functional>

namespace redrive {

class SourceScan final
{
public:
    // `value`: an expression that comes as column 1 of each match; may be empty.
    SourceScan(ListSource source, FilterSql filter, bool ascending, QString value = {});

    // Looks at the next `rows` rows and calls for each match in order: the list's key, and the query for
    // column 1. Nothing happens at the end.
    Status step(Connection& connection, int rows, const std::function<void(qint64, const Query&)>& onMatch);
    bool atEnd() const { return m_atEnd; }
    qint64 searched() const { return m_searched; } // rows looked at so far
    // The number in the first order column up to which everything has been read; nothing before the first
    // step.
    std::optional<qint64> frontier() const;
    const ListSource& source() const { return m_source; }

    // The statements as they would run next, for tests that look at their plans.
    QString boundaryStatement() const;
    QString matchStatement(bool hasEnd) const;

private:
    using Key = std::vector<std::variant<QString, qint64>>; // values of the order columns
    struct Window
    {
        Key last;
        qint64 rows = 0;
    };

    QString conditions(bool hasEnd) const;
    void bindConditions(Query& query, const Key* end) const;
    QString orderBy(bool reversed, const QStringList& columns) const;
    QStringList columns() const;
    Result<Window> nextWindow(Connection& connection, int rows) const;

    ListSource m_source;
    FilterSql m_filter;
    bool m_ascending;
    QString m_value;
    std::optional<Key> m_after;
    bool m_atEnd = false;
    qint64 m_searched = 0;
};

} // namespace redrive
