#include "core/webhooks/recovery.h"

#include "core/base/log.h"
#include "core/store/delivery_attempt_store.h"

namespace redrive {

Result<bool> recoverInterrupted(Cycle& cycle, qint64 endedInstanceNo)
{
    constexpr int kSlice = 500;
    REDRIVE_ASSIGN(count, delivery_attempt_store::interrupt(cycle, endedInstanceNo, kSlice));
    if (count > 0)
        logEvent(LogLevel::Notice, "interrupted_deliveries",
                 {{"instance", QString::number(endedInstanceNo)}, {"count", QString::number(count)}});
    return count < kSlice;
}

} // namespace redrive
