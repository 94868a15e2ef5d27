// Making, rotating and revoking tokens, with a row in the audit. Inside a turn's transaction.
#pragma once

#include "core/domain/token.h"
#include "core/store/cycle.h"

namespace redrive {

// The token that is made at the first start, so that events can be sent without a configuration. Its secret
// also stands in a file of the data folder that only its owner may read, until it is rotated or revoked.
inline constexpr QStringView kFirstTokenName = u"ingest";
QString keptTokenFile(const QString& dataFolder);

// InvalidInput: the name, the overlap or the rate; Conflict: the name is in use; NotFound: no token in use
// has it, or, to be shown, none whose secret is kept. A secret is random, and only its hash is stored.
// `keptFile`: where the first token's secret stands; removed after a commit that ends it.
Result<TokenChanged> changeToken(Cycle& cycle, const TokenChange& change, const QString& keptFile = {});
// Makes the first token and keeps its secret, where there never was any token. False: there was.
Result<bool> makeFirstToken(Cycle& cycle, const QString& keptFile);

} // namespace redrive
