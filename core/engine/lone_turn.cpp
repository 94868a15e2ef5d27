#include "core/engine/lone_turn.h"

#include "core/db/transaction.h"

namespace redrive {

Status runLoneTurn(Connection& db, const Clock& clock, const std::function<Status(Cycle&)>& work)
{
    Cycle cycle(db);
    cycle.nowMs = clock.wallMs();
    cycle.steadyMs = clock.steadyMs();
    cycle.bootMs = clock.bootMs();
    {
        REDRIVE_ASSIGN(transaction, Transaction::begin(db));
        REDRIVE_TRY(work(cycle));
        REDRIVE_TRY(transaction.commit());
    }
    for (const auto& followUp : cycle.afterCommit)
        followUp();
    return {};
}

} // namespace redrive
