// How much of a redrive may begin now: by its rate, by what is in flight, by how the first ones ended, and by
// how many fail. Inside a turn.
#pragma once

#include "core/store/redrive_store.h"

namespace redrive {

struct RedriveLeave
{
    int items = 0;               // that may begin now
    bool awaitsOutcomes = false; // more may begin when something ends
};

namespace redrive_pacer {

inline constexpr int kBrakeLooksAt = 50;   // outcomes
inline constexpr int kBrakeNeeds = 10;     // outcomes before it judges
inline constexpr int kBrakeInFlight = 100; // where nothing else limits it: a brake must see outcomes in time
inline constexpr qint64 kGatherMs = 20;    // between two slices of a rate
// What was late may be made up for so far.
inline constexpr qint64 kCatchUpUs = 100'000;

// Of at most `most`. May pause or stop the redrive: its state and note then say so, and are not yet written.
Result<RedriveLeave> leaveOf(Cycle& cycle, RedriveRow& redrive, int most);
// So many have begun.
void charge(RedriveRow& redrive, int begun);
// When the rate lets more begin, from now on; nothing: it does not hold it up.
std::optional<qint64> waitMs(const RedriveRow& redrive, qint64 nowMs);
// How long it is still held; nothing: it may begin. A wall clock that was set back holds nothing up.
std::optional<qint64> heldMs(const RedriveRow& redrive, qint64 nowMs);

} // namespace redrive_pacer
} // namespace redrive
