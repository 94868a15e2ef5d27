#include "core/engine/lone_turn.h"

#include "core/db/transaction.h"

namespace redrive {

Status runLoneTurn(Connection& db, const Clock& clock, const std::function<Status(Cycle&)>& work)
{
    Cycle cycle{db, clock.wallMs(), clock.steadyMs(), clock.bootMs(), 0, {}, {}, false, {}};
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
