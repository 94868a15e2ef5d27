// The scans that lists are made of: a table read in the order of one index. Pure.
#pragma once

#include "core/domain/list.h"
#include "core/store/filter_sql.h"

#include <optional>

namespace redrive {

struct OrderColumn
{
    QString name;
    bool isNumber = false; // otherwise text
};

struct ListSource
{
    QString from;      // table and alias
    QString rowKey;    // column
    QString condition; // which rows of the index; may be empty
    QList<OrderColumn>
        order; // one or two columns of the index, never NULL under the condition and the bounds; together
               // unique, or else with few rows of the same values, as they are read at once
    FilterTable table = FilterTable::Jobs;
    QString rowCondition; // further, looked up row by row; may be empty
    qint64 keyFactor = 1; // key of the list = row key × factor + offset
    qint64 keyOffset = 0;
    // The first order column is a user's id, which may be missing; such a row cannot be named and is in no
    // list.
    bool idsMayBeMissing = false;
    bool oneRow = false;     // the filter names one row by an id that has an index: no windows are needed
    bool newestOnly = false; // finished rows: a sort sees the newest kNewestFinished matches alone
    std::vector<std::variant<QString, qint64>> conditionBinds = {};
    // Of the first order column, a number; rows at the bounds are in.
    std::optional<qint64> low = {};
    std::optional<qint64> high = {};
};

inline constexpr int kNewestFinished = 10'000;

// The sources that give the rows of a list in its own order (Newest; Due for timers) by index. Those of
// telemetry depend on what it holds: see telemetry_source.h.
std::vector<ListSource> orderedSources(ListKind kind, const FilterNode& filter);
bool isIndexOrder(ListKind kind, SortField sort);

// All sources of a list for a sort that no index gives.
std::vector<ListSource> allSources(ListKind kind, const FilterNode& filter);

struct SortValue
{
    QString column; // expression over the source's table
    bool isNumber = false;
};
SortValue sortValue(SortField sort, ListKind kind, FilterTable table);

// A condition id = ? of the filter, at its top.
bool namesOneRow(const FilterNode& filter);

// The id by which an operator names a row of the table.
QString idColumn(FilterTable table);

} // namespace redrive
