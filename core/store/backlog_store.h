// How much waits in a queue, without counting: the store keeps the figures in the transaction that changes
// them. Any connection.
#pragma once

#include "core/config/settings.h"
#include "core/store/cycle.h"

namespace redrive {

struct Backlog
{
    qint64 messages = 0; // waiting, delayed and in flight
    qint64 bytes = 0;
};

namespace backlog_store {

Result<Backlog> read(Connection& db, const QString& queue);
// Counts all of it anew: for a store whose rows did not come in one by one.
Status recount(Connection& db);
// Refused, detail "backlog", when so much more would be over the limit. What the turn has added counts.
Status admit(Cycle& cycle, const QString& queue, qint64 messages, qint64 bytes, const LimitSettings& limits);

} // namespace backlog_store
} // namespace redrive
