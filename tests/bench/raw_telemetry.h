// The peer: the least work that keeps the same events in the same schema, one C loop with transactions of
// 100.
#pragma once

#include <QByteArray>
#include <QString>

namespace redrive::bench {

struct RawTelemetryRates
{
    double accepted = 0;  // messages into the queue, per second
    double persisted = 0; // and from there into the table, all of it together
    double oneByOne = 0;  // rows into the table, a transaction each
};

// The database at `path` is made and migrated before. FULL, WAL.
RawTelemetryRates rawTelemetry(const QString& path, int events, const QByteArray& payload);

} // namespace redrive::bench
