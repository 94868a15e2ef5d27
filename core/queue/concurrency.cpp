#include "core/queue/concurrency.h"

#include <algorithm>

namespace redrive {

Concurrency afterEvent(Concurrency before, ConcurrencyEvent event, int open, int most)
{
    Concurrency after = before;
    switch (event) {
    case ConcurrencyEvent::WorkWaits:
        if (!before.failing)
            after.limit = before.limit * 2;
        break;
    case ConcurrencyEvent::NothingDue:
        after.limit = std::min(before.limit, open);
        break;
    case ConcurrencyEvent::BatchDone:
        after.failing = false;
        break;
    case ConcurrencyEvent::BatchFailed:
        after.failing = true;
        after.limit = before.limit / 2;
        break;
    }
    after.limit = std::clamp(after.limit, 1, std::max(1, most));
    return after;
}

} // namespace redrive
