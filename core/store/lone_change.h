// A change that is undone alone when the database refuses it, so that one bad row never blocks what else the
// turn has to do. Inside a turn's transaction.
#pragma once

#include "core/db/savepoint.h"
#include "core/store/cycle.h"

namespace redrive {

// Nothing that another row could do better: the turn as a whole fails. All else is one row's own trouble.
inline bool concernsTheStore(const Error& error)
{
    return error.retryable() || error.kind == ErrorKind::ReadOnly || error.kind == ErrorKind::Corrupt ||
           error.kind == ErrorKind::Cancelled;
}

// Makes the change. After an error nothing of it is left, its follow-ups included.
template <typename Change>
auto changeAlone(Cycle& cycle, const Change& change) -> decltype(change())
{
    const size_t followUps = cycle.afterCommit.size();
    REDRIVE_ASSIGN(savepoint, Savepoint::begin(cycle.db));
    auto changed = change();
    if (changed)
        REDRIVE_TRY(savepoint.release());
    else
        cycle.afterCommit.resize(followUps);
    return changed;
}

} // namespace redrive
