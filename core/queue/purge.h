// Empties a queue slice by slice: what waits or is delayed goes, with what it was of; what is in flight
// finishes. Every message is looked at once, so that one that comes back meanwhile stays. Inside a turn.
#pragma once

#include "core/domain/action.h"
#include "core/store/message_removal.h"

namespace redrive {

struct PurgeSlice
{
    int removed = 0;
    QList<RefusedItem> refused; // by the database, one by one
    QueuePlace reached;
    bool atEnd = false;
};

Result<PurgeSlice> purgeSlice(Cycle& cycle, const QString& queue, qint64 cutoffSeq, QueuePlace after,
                              int limit);

} // namespace redrive
