// Changes to the text of a filter, as buttons and charts make them. Pure.
#pragma once

#include "core/domain/filter.h"

#include <optional>

namespace redrive {

// The filter without its terms of these fields ("tenant"), which are given in lower case. A text that cannot
// be read comes back as it is.
QString withoutFields(const QString& filter, const QStringList& fields);
// The rows of the filter that match the term too.
QString withTerm(const QString& filter, const QString& term);
// The term of a field for exactly this value: tenant:acme, tenant:"two words".
QString filterTermText(const QString& field, const QString& value);
// The same for a time, in UTC: since:2031-05-02T14:05Z.
QString filterTimeText(const QString& field, qint64 ms);

// The term of this field that every match fulfils; nothing: there is none.
std::optional<FilterTerm> requiredTerm(const FilterNode& root, FilterField field);

} // namespace redrive
