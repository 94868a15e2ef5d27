#include "core/telemetry/row_writer.h"

#include "core/db/savepoint.h"
#include "core/db/telemetry_table.h"
#include "core/store/lone_change.h"
#include "core/store/telemetry_store.h"

namespace redrive {

Result<bool> RowWriter::leavesTraces()
{
    if (!m_leavesTraces) {
        REDRIVE_ASSIGN(leaves, refusedRowsLeaveTraces(m_cycle.db));
        m_leavesTraces = leaves;
    }
    return *m_leavesTraces;
}

Status RowWriter::write(size_t first, size_t last)
{
    if (first == last)
        return {};
    ++m_transactions;
    REDRIVE_ASSIGN(savepoint, Savepoint::begin(m_cycle.db));
    int written = 0;
    TelemetrySize added;
    for (size_t at = first; at < last; ++at) {
        BatchRow& entry = m_rows[at];
        if (const auto ender = m_enders.constFind(entry.row.id); ender != m_enders.constEnd())
            entry.error = *ender;
        if (entry.error)
            continue;
        auto done = telemetry_store::insertUncounted(m_cycle, entry.row);
        if (done) {
            ++written;
            if (*done)
                added = {added.rows + 1, added.bytes + entry.row.payload.size()};
            continue;
        }
        if (concernsTheStore(done.error()))
            return fail(std::move(done.error()));
        entry.error = std::move(done.error());
        REDRIVE_ASSIGN(leaves, leavesTraces());
        if (!leaves)
            continue;
        if (const Status undone = savepoint.undo(); !undone) {
            m_enders.insert(entry.row.id, *entry.error);
            return fail(*entry.error);
        }
        REDRIVE_TRY(write(first, at));
        return write(at + 1, last);
    }
    m_written += written;
    if (added.rows > 0)
        REDRIVE_TRY(telemetry_store::noteAdded(m_cycle, added));
    return savepoint.release();
}

} // namespace redrive
