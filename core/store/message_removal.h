// Deleting messages that nobody holds: by an operator's purge and past a queue's retention. Whoever deletes
// an open job's message settles its row; a final job stays as it is. Inside a turn's transaction; reads on
// any connection.
#pragma once

#include "core/store/cycle.h"

namespace redrive {

struct RemovableMessage
{
    qint64 seq = 0;
    QString id;
    bool isJob = false;
    qint64 sentAtMs = 0;
    bool leased = false;
};

// A place in a queue, in the order in which its messages were sent.
struct QueuePlace
{
    qint64 sentAtMs = -1;
    qint64 seq = 0;
};

struct QueueContent
{
    qint64 messages = 0; // that nobody holds
    qint64 inFlight = 0;
    qint64 lastSeq = 0; // of all of them
};

namespace message_removal {

// What a queue holds, of messages up to `cutoffSeq` where it is given.
Result<QueueContent> contentOf(Connection& db, const QString& queue, std::optional<qint64> cutoffSeq);
// After a place, up to a message; leased ones included.
Result<QList<RemovableMessage>> after(Connection& db, const QString& queue, QueuePlace place,
                                      qint64 cutoffSeq, int limit);
// Sent at this time or before; those that are leased are left out.
Result<QList<RemovableMessage>> sentUntil(Connection& db, const QString& queue, qint64 sentAtMs, int limit);
// Queues that hold messages, and when the oldest message of each was sent.
Result<QList<std::pair<QString, qint64>>> oldestOfQueues(Connection& db);

// False when another holds it by now.
Result<bool> purge(Cycle& cycle, const RemovableMessage& message);  // an open job: cancelled, purged
Result<bool> expire(Cycle& cycle, const RemovableMessage& message); // an open job: dead, expired

} // namespace message_removal
} // namespace redrive
