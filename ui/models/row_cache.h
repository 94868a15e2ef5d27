// The rows a table has fetched, by key: at most kSegments × kSegmentRows of them, the least recently used
// leave first. Window thread.
#pragma once

#include "ui/models/row_value.h"

#include <QCache>

namespace redrive {

struct CachedRow
{
    RowValue value;
    quint64 age = 0;            // RowCache::age() when it was fetched
    qint64 flashUntilMs = 0;    // steady clock
    quint64 changedColumns = 0; // bit per column: what flashes
    bool gone = false;          // no longer in the list, or its row is no longer there
};

class RowCache final
{
public:
    static constexpr int kSegmentRows = 256;
    static constexpr int kSegments = 16;

    RowCache() : m_rows(kSegmentRows * kSegments) {}

    CachedRow* find(qint64 key) const { return m_rows.object(key); } // nothing: not fetched yet
    bool isFresh(qint64 key) const;
    CachedRow* put(RowValue value);
    void remove(qint64 key) { m_rows.remove(key); }
    // From now on every row is stale: shown, but to be fetched again when it is visible.
    void makeStale() { ++m_age; }
    void makeStale(qint64 key);
    void clear() { m_rows.clear(); }
    qsizetype size() const { return m_rows.size(); }
    QList<qint64> keys() const { return m_rows.keys(); }

private:
    QCache<qint64, CachedRow> m_rows;
    quint64 m_age = 1;
};

} // namespace redrive
