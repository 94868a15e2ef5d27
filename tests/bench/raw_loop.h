// The peer: the least work that keeps the same jobs in the same schema, one C loop with transactions of 100.
#pragma once

#include <QByteArray>
#include <QString>

namespace redrive::bench {

struct RawRates
{
    double enqueued = 0; // per second
    double endToEnd = 0; // insert, claim, finish with an attempt record
};

// The database at `path` is made and migrated before. FULL, WAL.
RawRates rawLoop(const QString& path, int jobs, const QByteArray& payload);

} // namespace redrive::bench
