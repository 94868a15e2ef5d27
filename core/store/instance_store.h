// Engine instances and their leases. A lease is the instance's: one row renewed keeps everything that it
// holds. Lease times are CLOCK_BOOTTIME milliseconds of the boot named beside them. Inside a turn's
// transaction.
#pragma once

#include "core/store/cycle.h"

namespace redrive {

struct InstanceRow
{
    qint64 no = 0;
    QString owner;
    QString bootId;
    qint64 leaseUntilMs = 0;
};

namespace instance_store {

// Returns the new instance's number.
Result<qint64> add(Cycle& cycle, const QString& owner, qint64 leaseUntilMs);
// False when the instance was ended by another engine.
Result<bool> renew(Cycle& cycle, qint64 no, qint64 leaseUntilMs);
Status end(Cycle& cycle, qint64 no);
Result<QList<InstanceRow>> live(Connection& db);
// Whether its engine can still settle what it holds: neither ended nor gone, by its lease and its lock.
Result<bool> lives(Connection& db, qint64 no, qint64 bootMs);

} // namespace instance_store
} // namespace redrive
