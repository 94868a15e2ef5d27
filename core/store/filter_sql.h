// A filter as a condition over one table. Text of the filter reaches the database only as bound values;
// names of columns come from this file alone. Pure.
#pragma once

#include "core/db/query.h"
#include "core/domain/filter.h"

#include <variant>
#include <vector>

namespace redrive {

enum class FilterTable {
    Jobs,       // jobs j
    Deliveries, // webhook_deliveries d
    Letters,    // dead_letters l
    Actions,    // audit a
    Alerts,     // alerts t
    Telemetry,  // system_telemetry t
};

struct FilterSql
{
    QString where; // empty: every row
    std::vector<std::variant<QString, qint64, double>> binds;

    void bindTo(Query& query) const;
};

FilterSql filterSql(const FilterNode& root, FilterTable table, qint64 nowMs);

} // namespace redrive
