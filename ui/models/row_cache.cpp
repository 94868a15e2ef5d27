#include "ui/models/row_cache.h"

namespace redrive {

bool RowCache::isFresh(qint64 key) const
{
    const auto* row = find(key);
    return row && row->age == m_age;
}

CachedRow* RowCache::put(RowValue value)
{
    const qint64 key = rowKey(value);
    if (auto* known = find(key)) {
        known->value = std::move(value);
        known->age = m_age;
        return known;
    }
    auto* row = new CachedRow{std::move(value), m_age};
    m_rows.insert(key, row);
    return row;
}

void RowCache::makeStale(qint64 key)
{
    if (auto* row = find(key))
        row->age = 0;
}

} // namespace redrive
