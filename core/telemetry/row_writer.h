// Writes the rows of a batch as one unit and finds those that the database refuses, so that they cost the
// others nothing. Control thread, inside a turn's transaction.
//
// A refused row undoes itself alone, and the rest goes on: no further transaction is needed. Where a trigger
// of a user's own may leave traces of it or end the transaction, the unit is taken back and written anew
// without that row, as two.
#pragma once

#include "core/domain/telemetry.h"
#include "core/store/cycle.h"

#include <QHash>

#include <vector>

namespace redrive {

struct BatchRow
{
    NewTelemetry row;
    std::optional<Error> error; // why it is not in the table; one with an error from the start is not tried
};

class RowWriter final
{
public:
    // `enders`: rows that ended a whole transaction, by id, which are not tried again; kept from turn to
    // turn.
    RowWriter(Cycle& cycle, std::vector<BatchRow>& rows, QHash<QString, Error>& enders)
        : m_cycle(cycle), m_rows(rows), m_enders(enders)
    {
    }

    // An error concerns the store, or the turn has to be done again.
    Status run() { return write(0, m_rows.size()); }
    int written() const { return m_written; } // those that were there before included
    int extraTransactions() const { return std::max(0, m_transactions - 1); }

private:
    Status write(size_t first, size_t last);
    Result<bool> leavesTraces();

    Cycle& m_cycle;
    std::vector<BatchRow>& m_rows;
    QHash<QString, Error>& m_enders;
    std::optional<bool> m_leavesTraces;
    int m_written = 0;
    int m_transactions = 0;
};

} // namespace redrive
