// Does an operator's action to one thing, or says why not: judged and changed in the same transaction, so
// that asking twice acts once. Inside a turn's transaction.
#pragma once

#include "core/domain/action.h"
#include "core/store/cycle.h"

#include <functional>

namespace redrive {

// Sends a delivery again; returns the words of a refusal, or nothing. See replay.h of the webhooks.
using ReplayFunction = std::function<Result<QString>(Cycle& cycle, const QString& deliveryId)>;

// Returns the words of a refusal, or nothing when it is done. An error concerns the store, not the item.
Result<QString> actOnItem(Cycle& cycle, ActionVerb verb, const QString& id, const QString& otherQueue,
                          const ReplayFunction& replay);

} // namespace redrive
