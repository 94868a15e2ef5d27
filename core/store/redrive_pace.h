// The pace of a redrive as its columns have it.
#pragma once

#include "core/db/query.h"
#include "core/domain/redrive.h"

namespace redrive {

// rate_per_second as it is written: nothing for no limit.
inline void bindRate(Query& query, const RedrivePace& pace)
{
    if (pace.perSecond > 0)
        query.bind(pace.perSecond);
    else
        query.bindNull();
}

// after_canary holds the texts of CanaryEnd: ask, go-on, stop. rate_per_second, in_flight, brake_percent,
// canary and after_canary stand from `column` on.
inline RedrivePace paceOf(const Query& query, int column)
{
    RedrivePace pace;
    pace.perSecond = query.isNull(column) ? 0 : query.real(column);
    pace.inFlight = int(query.int64(column + 1));
    pace.brakePercent = int(query.int64(column + 2));
    pace.canary = int(query.int64(column + 3));
    pace.afterCanary = canaryEndFrom(query.text(column + 4)).value_or(CanaryEnd::Ask);
    return pace;
}

} // namespace redrive
