// How a paged table fetches the rows that are looked at, and shows what changed in them.
#include "ui/models/paged_table_model.h"

namespace redrive {

void PagedTableModel::setVisibleRows(int first, int last)
{
    m_firstVisible = first;
    m_lastVisible = last;
    fetchVisible();
}

std::pair<int, int> PagedTableModel::watchedRows() const
{
    if (m_lastVisible < m_firstVisible)
        return {0, -1};
    return {qMax(0, m_firstVisible - kOverscan), qMin(int(m_keys.size()) - 1, m_lastVisible + kOverscan)};
}

void PagedTableModel::fetchVisible()
{
    if (!m_active || m_fetching)
        return;
    const auto [first, last] = watchedRows();
    std::vector<qint64> keys;
    for (int row = first; row <= last && keys.size() < size_t(RowCache::kSegmentRows); ++row) {
        const qint64 key = m_keys[size_t(row)];
        if (!m_cache.isFresh(key) && !m_missing.contains(key))
            keys.push_back(key);
    }
    if (keys.empty())
        return;
    m_fetching = true;
    m_bridge.fetchRows(this, m_request.kind, keys,
                       m_fetch.guard([this, keys](Result<ListRows> rows) { onRows(keys, std::move(rows)); }));
}

void PagedTableModel::onRows(const std::vector<qint64>& asked, Result<ListRows> rows)
{
    m_fetching = false;
    if (!rows) {
        QTimer::singleShot(kRetryMs, this, &PagedTableModel::fetchVisible);
        return; // the bridge says what is wrong
    }
    QSet<qint64> came;
    std::visit(
        [&](auto& list) {
            for (auto& row : list) {
                came.insert(row.key);
                takeRow(std::move(row));
            }
        },
        *rows);
    for (const qint64 key : asked) {
        if (came.contains(key))
            continue;
        m_missing.insert(key);
        if (auto* row = m_cache.find(key))
            row->gone = true;
    }
    makeStale(std::exchange(m_meanwhile, {}));
    announceWatched();
    Q_EMIT rowsFetched();
    fetchVisible();
}

void PagedTableModel::takeRow(RowValue value)
{
    const auto* known = m_cache.find(rowKey(value));
    const quint64 changed = known ? changedColumns(known->value, value) : 0;
    auto* row = m_cache.put(std::move(value));
    row->gone = false;
    if (changed == 0)
        return;
    const qint64 now = m_bridge.clock().steadyMs();
    row->changedColumns = row->flashUntilMs > now ? row->changedColumns | changed : changed;
    row->flashUntilMs = now + kFlashMs;
    m_flashEnd.start();
}

quint64 PagedTableModel::changedColumns(const RowValue& before, const RowValue& after) const
{
    quint64 changed = 0;
    for (int column = 0; column < m_columns.size(); ++column)
        for (const int role : {int(Qt::DisplayRole), int(InstantRole), int(GlyphRole)})
            if (cell(before, column, role) != cell(after, column, role))
                changed |= 1ull << column;
    return changed;
}

void PagedTableModel::announceWatched(const QList<int>& roles)
{
    const auto [first, last] = watchedRows();
    if (first <= last)
        Q_EMIT dataChanged(index(first, 0), index(last, int(m_columns.size()) - 1), roles);
}

} // namespace redrive
