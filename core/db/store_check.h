// Whether a file may be used as the store, before anything is changed in it. Any thread; blocks on the disk.
// The texts are shown to the operator as they are.
#pragma once

#include "core/base/result.h"
#include "core/db/target.h"

namespace redrive {

enum class StoreOrigin {
    Nothing, // no file, or an empty one that never held anything
    Users,   // a database with tables of the user's own, not yet used by this program
    Ours,
};

struct StoreState
{
    StoreOrigin origin = StoreOrigin::Nothing;
    int schema = 0; // number of the last migration applied; Ours only
};

// What the `field` of an error about the store says, so that the operator can be offered what helps.
namespace store_trouble {
inline constexpr QLatin1String kPrefix("store_");
inline constexpr QLatin1String kEmptied("store_emptied"); // it held data, and is empty or gone
inline constexpr QLatin1String kForeign("store_foreign");
inline constexpr QLatin1String kNewer("store_newer");
inline constexpr QLatin1String kDamaged("store_damaged");
} // namespace store_trouble

// Refuses, with the file left as it is: an empty file that held data, something that is no database, a
// database of another program, one written by a newer version, a damaged one.
Result<StoreState> checkStore(const DatabaseTarget& target, int knownSchema);

// An error of the store in words for the operator: damage, read-only, not to be opened. Others are unchanged.
Error explainStoreError(const DatabaseTarget& target, const Error& error);

// An explained error; damage and an emptied file with the commands that go on from there. Nothing here runs
// them, and the file stays.
Error withRecoverHint(const DatabaseTarget& target, Error error);
// The same without them: for a window, which has buttons.
Error withoutRecoverHint(const DatabaseTarget& target, Error error);

// The newest file that migrateStore() left beside the database before it changed it; empty if there is none.
QString lastBackup(const DatabaseTarget& target);

} // namespace redrive
