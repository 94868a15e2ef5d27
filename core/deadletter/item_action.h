// Does an operator's action to one thing, or says why not: judged and changed in the same transaction, so
// that asking twice acts once. Inside a turn's transaction.
#pragma once

#include "core/store/redrive_store.h"

#include <functional>

namespace redrive {

// Sends a delivery again; returns the words of a refusal, or nothing. See replay.h of the webhooks.
using ReplayFunction = std::function<Result<QString>(Cycle& cycle, const QString& deliveryId)>;

// An error concerns the store, not the item.
Result<ItemEnd> actOnItem(Cycle& cycle, const NewRedrive& asked, const QString& id,
                          const ReplayFunction& replay);

} // namespace redrive
