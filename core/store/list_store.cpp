#include "core/store/list_store.h"

#include "core/store/list_cursors.h"

#include <QElapsedTimer>

#include <algorithm>

namespace redrive {

namespace {

constexpr int kMaxRowsOfStep = 32'000; // some ten milliseconds
constexpr int kFewRowsOfStep = 1'000;
constexpr qint64 kLongStepMs = 25; // payloads are looked through, perhaps

} // namespace

Result<std::unique_ptr<ListCursor>> ListCursor::open(const ListRequest& request, qint64 nowMs)
{
    const auto filter = parseFilter(request.filter);
    if (!filter)
        return fail(filterError(filter.error()));
    if (isIndexOrder(request.kind, request.sort))
        return std::unique_ptr<ListCursor>(new IndexedCursor(request, filter->root, nowMs));
    return std::unique_ptr<ListCursor>(new SortedCursor(request, filter->root, nowMs));
}

Result<ListSlice> ListCursor::next(Connection& connection)
{
    ListSlice slice;
    QElapsedTimer took;
    took.start();
    REDRIVE_TRY(work(connection, m_rows, slice));
    m_rows = took.elapsed() > kLongStepMs ? std::max(m_rows / 2, kFewRowsOfStep)
                                          : std::min(m_rows * 2, kMaxRowsOfStep);
    if (m_limit > 0 && m_given + qint64(slice.keys.size()) >= m_limit) {
        slice.keys.resize(std::size_t(m_limit - m_given));
        slice.last = true;
    }
    m_given += qint64(slice.keys.size());
    slice.first = !m_started && (slice.last || !slice.keys.empty());
    m_started = m_started || slice.first;
    return slice;
}

Result<QStringList> matchingIds(Connection& connection, ListKind kind, const FilterNode& filter, qint64 nowMs)
{
    QStringList ids;
    REDRIVE_ASSIGN(sources, sourcesOf(connection, kind, filter, nowMs));
    for (const ListSource& source : sources) {
        SourceScan scan(source, filterSql(filter, source.table, nowMs), false, idColumn(source.table));
        while (!scan.atEnd())
            REDRIVE_TRY(scan.step(connection, kMaxRowsOfStep,
                                  [&ids](qint64, const Query& row) { ids.append(row.text(1)); }));
    }
    return ids;
}

Result<QStringList> matchingIds(Connection& connection, ListKind kind, const QString& filterText,
                                qint64 nowMs)
{
    const auto filter = parseFilter(filterText);
    if (!filter)
        return fail(filterError(filter.error()));
    return matchingIds(connection, kind, filter->root, nowMs);
}

} // namespace redrive
