// Tokens of the HTTP interface and their secrets, which are kept as SHA-256 only. Changes inside a turn's
// transaction.
#pragma once

#include "core/domain/token.h"
#include "core/store/cycle.h"

namespace redrive::token_store {

// Those in use by name, then the revoked ones, newest first.
Result<QList<TokenRow>> list(Connection& db);
// Of tokens that are not revoked; those whose time is over are left out.
Result<QList<TokenSecret>> secrets(Connection& db, qint64 nowMs);
// Whether there ever was a token; of these one that opens everything.
struct TokensEver
{
    bool any = false;
    bool ofEverything = false;
};
Result<TokensEver> ever(Connection& db);
// The token in use of this name whose secret is kept. NotFound: there is none.
Result<qint64> findKept(Connection& db, const QString& name);

// Conflict: the name is in use.
Status create(Cycle& cycle, const TokenChange& change, const QByteArray& sha256);
// Its secret stands in a file from now on; rotate() and revoke() end that.
Status markKept(Cycle& cycle, const QString& name);
// The older secrets end after the overlap, or when they would have anyway. NotFound: no token in use has this
// name.
Status rotate(Cycle& cycle, const TokenChange& change, const QByteArray& sha256);
// Its secrets are deleted. NotFound as above.
Status revoke(Cycle& cycle, const QString& name);
Status noteUse(Cycle& cycle, qint64 tokenNo, qint64 atMs);

} // namespace redrive::token_store
