// How many batches of a queue may be open at once where the user set no max_concurrency: it doubles while
// work waits, falls back to what is in use when none does, and halves after a batch that failed as a whole.
// Messages that a handler gave back by itself are no failure. Pure.
#pragma once

namespace redrive {

enum class ConcurrencyEvent {
    WorkWaits,   // a batch might go out, and as many as may be are open
    NothingDue,  // no batch is due any more
    BatchDone,   // one ended well, retries of its messages included
    BatchFailed, // one threw, or ran out of time
};

struct Concurrency
{
    int limit = 1;
    bool failing = false; // the last batch that ended had failed: no growth

    bool operator==(const Concurrency&) const = default;
};

// `open`: batches that are open now; `most`: as many as the engine has workers, at least 1.
Concurrency afterEvent(Concurrency before, ConcurrencyEvent event, int open, int most);

} // namespace redrive
