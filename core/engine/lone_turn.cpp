#include "core/engine/lone_turn.h"

#include "core/db/store_fault.h"
#include "core/db/transaction.h"

namespace redrive {

namespace {

Status commitTurn(Connection& db, Cycle& cycle, const std::function<Status(Cycle&)>& work)
{
    REDRIVE_ASSIGN(transaction, Transaction::begin(db));
    REDRIVE_TRY(work(cycle));
    return transaction.commit();
}

} // namespace

Status runLoneTurn(Connection& db, const Clock& clock, const std::function<Status(Cycle&)>& work)
{
    Cycle cycle(db);
    cycle.nowMs = clock.wallMs();
    cycle.steadyMs = clock.steadyMs();
    cycle.bootMs = clock.bootMs();
    if (const Status done = commitTurn(db, cycle, work); !done)
        return fail(describeFailure(db.target(), done.error()));
    for (const auto& followUp : cycle.afterCommit)
        followUp();
    return {};
}

} // namespace redrive
