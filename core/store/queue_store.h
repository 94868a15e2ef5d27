// Queues: pause and settings kept with the data. Inside a turn's transaction, reads anywhere.
#pragma once

#include "core/store/cycle.h"

#include <QHash>

namespace redrive {

struct QueueRow
{
    QString name;
    std::optional<qint64> pausedAtMs;
    QString pausedBy;
    std::optional<qint64> deliveryDelayMs;
    std::optional<qint64> retentionMs;
};

namespace queue_store {

// Makes the row of a queue that is not there yet; an existing one stays as it is.
Status ensure(Cycle& cycle, const QueueRow& row);
Result<QHash<QString, QueueRow>> all(Connection& db);

} // namespace queue_store
} // namespace redrive
