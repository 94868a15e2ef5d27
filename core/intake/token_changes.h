// Making, rotating and revoking tokens, with a row in the audit. Inside a turn's transaction.
#pragma once

#include "core/domain/token.h"
#include "core/store/cycle.h"

namespace redrive {

// InvalidInput: the name, the overlap or the rate; Conflict: the name is in use; NotFound: no token in use
// has it. The secret is random, and only its hash is stored.
Result<TokenChanged> changeToken(Cycle& cycle, const TokenChange& change);

} // namespace redrive
