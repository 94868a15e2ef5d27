// One turn of work in a transaction of its own, for a command that changes the store without being an engine.
// The thread of the connection.
#pragma once

#include "core/base/clock.h"
#include "core/store/cycle.h"

namespace redrive {

// Commits what `work` did and then runs its follow-ups; an error undoes all of it.
Status runLoneTurn(Connection& db, const Clock& clock, const std::function<Status(Cycle&)>& work);

} // namespace redrive
