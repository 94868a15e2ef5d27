#include "core/queue/purge.h"

#include "core/store/lone_change.h"

namespace redrive {

Result<PurgeSlice> purgeSlice(Cycle& cycle, const QString& queue, qint64 cutoffSeq, QueuePlace after,
                              int limit)
{
    REDRIVE_ASSIGN(messages, message_removal::after(cycle.db, queue, after, cutoffSeq, limit));
    PurgeSlice slice;
    slice.reached = after;
    slice.atEnd = messages.size() < limit;
    for (const RemovableMessage& message : messages) {
        slice.reached = {message.sentAtMs, message.seq};
        if (message.leased)
            continue;
        const auto removed = changeAlone(cycle, [&] { return message_removal::purge(cycle, message); });
        if (removed)
            slice.removed += *removed ? 1 : 0;
        else if (concernsTheStore(removed.error()))
            return fail(removed.error());
        else
            slice.refused.append(
                {message.id, u"the database refused the change: "_s + removed.error().text()});
    }
    return slice;
}

} // namespace redrive
