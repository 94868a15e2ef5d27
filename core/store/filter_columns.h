// Names of columns behind the fields of a filter. Pure.
#pragma once

#include "core/store/filter_sql.h"

#include <QStringList>

namespace redrive {

// What a term stands for in one table. Empty: the table has no such thing.
struct FilterColumns
{
    QStringList ids; // the first is the row's own
    QString type;
    QString queue;
    QString endpoint;
    QString error;
    QString attempts;
    QString madeAtMs;
    QString dueAtMs;
    QString tenant = {};
    QString source = {};
    QString payload = {};
    QString actor = {};
    QStringList words = {}; // what else bare words are looked for in
};

const FilterColumns& filterColumns(FilterTable table);

} // namespace redrive
