// Keys of the rows that a list shows, in slices. The reading connection's thread.
#pragma once

#include "core/store/source_scan.h"

#include <QStringList>

#include <memory>

namespace redrive {

// Works a ListRequest off step by step. Orders that an index gives come slice by slice from the first step
// on; other sorts read everything they sort before the first slice.
class ListCursor
{
public:
    virtual ~ListCursor() = default;

    // Fails for a filter that cannot be read; the error says where.
    static Result<std::unique_ptr<ListCursor>> open(const ListRequest& request, qint64 nowMs);

    // One bounded piece of work. A slice may be empty and not last. Not to be called after the last one.
    Result<ListSlice> next(Connection& connection);

protected:
    explicit ListCursor(int limit) : m_limit(limit) {}
    // Appends keys and sets `last`, `cut` and `searched`.
    virtual Status work(Connection& connection, int rows, ListSlice& slice) = 0;

private:
    int m_limit;
    int m_rows = 1'000; // of the next step
    qint64 m_given = 0;
    bool m_started = false;
};

// All ids that match now, newest first: jobs, deliveries, or the subjects of letters. Reads to the end at
// once.
Result<QStringList> matchingIds(Connection& connection, ListKind kind, const FilterNode& filter,
                                qint64 nowMs);
Result<QStringList> matchingIds(Connection& connection, ListKind kind, const QString& filter, qint64 nowMs);

} // namespace redrive
