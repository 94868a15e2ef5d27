// Queues: pause and settings kept with the data. Inside a turn's transaction, reads anywhere.
#pragma once

#include "core/config/settings.h"
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

// What a configuration says of a queue, whose row is made when it is not there. What the configuration does
// not name stays as it was; `paused` is applied only where it says something else than the last one did, so
// that an operator's pause stands.
Status configure(Cycle& cycle, const QString& name, const QueueSettings& settings);
Result<QHash<QString, QueueRow>> all(Connection& db);
// Delay of a message that says none: what the configuration names, else what is kept, else the producer's.
Result<qint64> deliveryDelayMs(Connection& db, const Settings& settings, const QString& queue);

} // namespace queue_store
} // namespace redrive
