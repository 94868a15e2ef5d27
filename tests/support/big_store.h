// A store as it is after months of work, made in seconds by statements alone: finished jobs of the last six
// days with their attempts, dead letters, retry timers, fan-outs with their deliveries, telemetry. The same
// counts give the same rows, but for ids and times. For benchmarks and for tests of what must not depend on
// the size.
#pragma once

#include "core/base/result.h"
#include "core/db/target.h"

namespace redrive::test {

struct BigStoreShape
{
    qint64 finished = 1'000'000; // done (of these 1 in 50 cancelled)
    qint64 dead = 1'200;         // each with an open letter
    qint64 timers = 600;         // jobs that wait for a retry, due in one to two days
    qint64 fanOuts = 5'000;      // of the finished: with an event and four delivered deliveries each
    qint64 telemetry = 0;        // rows of 100 tenants, half of them of the last six hours
};

// Creates the database or adds to it. `nowMs` is the newest time in it.
Status fillBigStore(const DatabaseTarget& target, const BigStoreShape& shape, qint64 nowMs);

} // namespace redrive::test
