#include "core/store/list_cursors.h"

#include "core/store/telemetry_source.h"

#include <algorithm>

namespace redrive {

Result<std::vector<ListSource>> sourcesOf(Connection& connection, ListKind kind, const FilterNode& filter,
                                          qint64 nowMs)
{
    if (kind == ListKind::Telemetry)
        return telemetrySources(connection, filter, nowMs);
    return orderedSources(kind, filter);
}

namespace {

constexpr std::size_t kKeysOfSlice = 50'000; // given out at once after a sort

qint64 searchedIn(const std::vector<SourceScan>& scans)
{
    qint64 rows = 0;
    for (const SourceScan& scan : scans)
        rows += scan.searched();
    return rows;
}

} // namespace

IndexedCursor::IndexedCursor(const ListRequest& request, const FilterNode& filter, qint64 nowMs)
    : ListCursor(request.limit), m_kind(request.kind), m_filter(filter), m_nowMs(nowMs),
      m_ascending(request.ascending)
{
}

Status IndexedCursor::begin(Connection& connection)
{
    REDRIVE_ASSIGN(sources, sourcesOf(connection, m_kind, m_filter, m_nowMs));
    for (const ListSource& source : sources)
        m_scans.emplace_back(source, filterSql(m_filter, source.table, m_nowMs), m_ascending,
                             sources.size() > 1 ? source.order.first().name : QString());
    m_begun = true;
    return {};
}

SourceScan& IndexedCursor::furthestBehind()
{
    return *std::min_element(
        m_scans.begin(), m_scans.end(), [this](const SourceScan& a, const SourceScan& b) {
            if (a.atEnd() != b.atEnd())
                return b.atEnd();
            if (!a.frontier() || !b.frontier())
                return !a.frontier() && b.frontier();
            return m_ascending ? *a.frontier() < *b.frontier() : *a.frontier() > *b.frontier();
        });
}

// What lies before the frontier of every source can be given out.
void IndexedCursor::release(ListSlice& slice)
{
    const SourceScan& behind = furthestBehind();
    slice.last = behind.atEnd();
    if (!slice.last && !behind.frontier())
        return;
    const auto comesFirst = [this](qint64 a, qint64 b) { return m_ascending ? a < b : a > b; };
    std::stable_sort(m_waiting.begin(), m_waiting.end(),
                     [&](const Entry& a, const Entry& b) { return comesFirst(a.order, b.order); });
    auto end = m_waiting.end();
    if (!slice.last)
        end = std::find_if(m_waiting.begin(), m_waiting.end(),
                           [&](const Entry& entry) { return comesFirst(*behind.frontier(), entry.order); });
    for (auto entry = m_waiting.begin(); entry != end; ++entry)
        slice.keys.push_back(entry->key);
    m_waiting.erase(m_waiting.begin(), end);
}

Status IndexedCursor::work(Connection& connection, int rows, ListSlice& slice)
{
    if (!m_begun)
        REDRIVE_TRY(begin(connection));
    if (m_scans.empty()) {
        slice.last = true;
        return {};
    }
    if (m_scans.size() == 1) {
        SourceScan& scan = m_scans.front();
        REDRIVE_TRY(
            scan.step(connection, rows, [&slice](qint64 key, const Query&) { slice.keys.push_back(key); }));
        slice.last = scan.atEnd();
        slice.searched = scan.searched();
        return {};
    }
    REDRIVE_TRY(furthestBehind().step(connection, rows, [this](qint64 key, const Query& row) {
        m_waiting.push_back({row.int64(1), key});
    }));
    slice.searched = searchedIn(m_scans);
    release(slice);
    return {};
}

SortedCursor::SortedCursor(const ListRequest& request, const FilterNode& filter, qint64 nowMs)
    : ListCursor(request.limit), m_ascending(request.ascending)
{
    for (const ListSource& source : allSources(request.kind, filter)) {
        const SortValue value = sortValue(request.sort, request.kind, source.table);
        m_byNumber = value.isNumber;
        m_scans.emplace_back(source, filterSql(filter, source.table, nowMs), false, value.column);
    }
}

Status SortedCursor::collect(Connection& connection, int rows)
{
    SourceScan& scan = m_scans[m_current];
    const bool newestOnly = scan.source().newestOnly;
    REDRIVE_TRY(scan.step(connection, rows, [&](qint64 key, const Query& row) {
        if (newestOnly && m_fromCurrent >= kNewestFinished) {
            m_cut = true;
            return;
        }
        ++m_fromCurrent;
        if (m_byNumber)
            m_entries.push_back({row.int64(1), {}, key});
        else
            m_entries.push_back({0, *m_texts.insert(row.text(1)), key});
    }));
    if (scan.atEnd() || m_cut) {
        ++m_current;
        m_fromCurrent = 0;
    }
    return {};
}

void SortedCursor::sort()
{
    // A row that changed while its list was read may have come twice.
    const auto byKey = [](const Entry& a, const Entry& b) { return a.key < b.key; };
    std::sort(m_entries.begin(), m_entries.end(), byKey);
    m_entries.erase(std::unique(m_entries.begin(), m_entries.end(),
                                [](const Entry& a, const Entry& b) { return a.key == b.key; }),
                    m_entries.end());
    std::sort(m_entries.begin(), m_entries.end(), [this](const Entry& a, const Entry& b) {
        if (a.number != b.number)
            return (a.number < b.number) == m_ascending;
        const int byText = a.text.compare(b.text, Qt::CaseInsensitive);
        return byText != 0 ? (byText < 0) == m_ascending : a.key > b.key;
    });
    m_texts.clear();
    m_sorted = true;
}

Status SortedCursor::work(Connection& connection, int rows, ListSlice& slice)
{
    if (m_current < m_scans.size()) {
        REDRIVE_TRY(collect(connection, rows));
        if (m_current < m_scans.size()) {
            slice.searched = searchedIn(m_scans);
            return {};
        }
    }
    slice.searched = searchedIn(m_scans);
    if (!m_sorted)
        sort();
    const std::size_t end = std::min(m_entries.size(), m_given + kKeysOfSlice);
    for (; m_given < end; ++m_given)
        slice.keys.push_back(m_entries[m_given].key);
    slice.last = m_given == m_entries.size();
    slice.cut = m_cut;
    return {};
}

} // namespace redrive
