// Counts for the overview, the navigator and /metrics. The reading connection's thread.
#pragma once

#include "core/db/connection.h"
#include "core/domain/overview.h"

#include <optional>

namespace redrive {

// What the configuration says of a queue.
struct KnownQueue
{
    QString name;
    bool hasConsumer = false;
    bool noHandler = false; // consumed, but nothing handles its messages
    int maxAttempts = 0;    // deliveries it grants; 0: unknown
    QueueConsumption consumption = {};
    qint64 retentionMs = 0;     // where the store keeps none
    qint64 deliveryDelayMs = 0; // the same
};

class CountsStore final
{
public:
    explicit CountsStore(QList<KnownQueue> known) : m_known(std::move(known)) {}

    // All counts are of one moment. A big store takes long to count: the last counts are then given again for
    // ten times as long as they took, so that counting costs at most a tenth of a core.
    Result<StoreCounts> counts(Connection& db, qint64 nowMs, qint64 steadyMs);
    // The next call counts again.
    void forget() { m_last.reset(); }

private:
    Result<StoreCounts> count(Connection& db, qint64 nowMs) const;

    QList<KnownQueue> m_known;
    std::optional<StoreCounts> m_last;
    qint64 m_lastAtMs = 0; // steady
    qint64 m_tookMs = 0;
};

} // namespace redrive
