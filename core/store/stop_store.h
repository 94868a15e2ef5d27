// Work that an operator asked to stop, as the engine that holds it finds it. Any connection.
#pragma once

#include "core/db/connection.h"

#include <vector>

namespace redrive::stop_store {

// Claim numbers of running jobs, and row keys of deliveries being sent, that this instance holds.
Result<std::vector<qint64>> askedClaims(Connection& db, qint64 instanceNo);
Result<std::vector<qint64>> askedDeliveries(Connection& db, qint64 instanceNo);

// What a failed attempt must know about its job before it is settled.
struct Standing
{
    bool jobOpen = true;    // its row is neither done nor dead nor cancelled
    bool stopAsked = false; // it is to be cancelled
};
Result<Standing> standingOf(Connection& db, qint64 messageSeq);

// Whether a message that was leased some turns ago still waits for a job that does.
Result<bool> stillWaits(Connection& db, qint64 messageSeq);

} // namespace redrive::stop_store
