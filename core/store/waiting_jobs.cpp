#include "core/store/waiting_jobs.h"

namespace redrive {

namespace {
constexpr char kWaiting[] =
    "SELECT count(*) FROM jobs WHERE status = 'pending' AND status IN ('pending', 'processing')";
}

Result<qint64> countWaitingJobs(Connection& db)
{
    auto query = db.query(kWaiting);
    const qint64 count = query.next() ? query.int64(0) : 0;
    REDRIVE_TRY(query.status());
    return count;
}

} // namespace redrive
