// The two ways a list is read: in the order of an index, or sorted in memory. The reading connection's
// thread.
#pragma once

#include "core/store/list_store.h"

#include <QSet>

namespace redrive {

// The sources of a list in its own order, whatever it is of.
Result<std::vector<ListSource>> sourcesOf(Connection& connection, ListKind kind, const FilterNode& filter,
                                          qint64 nowMs);

// One source, or several merged by their first order column.
class IndexedCursor final : public ListCursor
{
public:
    IndexedCursor(const ListRequest& request, const FilterNode& filter, qint64 nowMs);

private:
    Status work(Connection& connection, int rows, ListSlice& slice) override;
    Status begin(Connection& connection);
    SourceScan& furthestBehind();
    void release(ListSlice& slice);

    struct Entry
    {
        qint64 order = 0;
        qint64 key = 0;
    };

    ListKind m_kind;
    FilterNode m_filter;
    qint64 m_nowMs;
    bool m_ascending;
    bool m_begun = false;
    std::vector<SourceScan> m_scans;
    std::vector<Entry> m_waiting; // read, but another source may still come before it; several sources only
};

// Reads every source, sorts, and gives the keys out.
class SortedCursor final : public ListCursor
{
public:
    SortedCursor(const ListRequest& request, const FilterNode& filter, qint64 nowMs);

private:
    Status work(Connection& connection, int rows, ListSlice& slice) override;
    Status collect(Connection& connection, int rows);
    void sort();

    struct Entry
    {
        qint64 number = 0;
        QString text;
        qint64 key = 0;
    };

    bool m_ascending;
    bool m_byNumber = false;
    std::vector<SourceScan> m_scans;
    std::size_t m_current = 0; // the scan being read
    int m_fromCurrent = 0;     // matches of it
    QSet<QString> m_texts;     // few values are shared by many rows
    std::vector<Entry> m_entries;
    bool m_cut = false;
    bool m_sorted = false;
    std::size_t m_given = 0;
};

} // namespace redrive
