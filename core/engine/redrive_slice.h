// Executes redrives slice by slice: every item is judged and changed in the same transaction as its result.
// Inside a turn.
#pragma once

#include "core/engine/action_plan.h"
#include "core/store/redrive_store.h"

namespace redrive {

// Settles up to `items` of the next ones (of a purge ten messages for each) and counts them in `redrive`.
// What the database refuses about one item is that item's refusal and changes nothing else; an error concerns
// the store.
Status runRedriveSlice(Cycle& cycle, RedriveRow& redrive, int items, const ActionLimits& limits);

// The audit's row of a redrive that is over.
Status auditRedrive(Cycle& cycle, const RedriveRow& redrive);

} // namespace redrive
