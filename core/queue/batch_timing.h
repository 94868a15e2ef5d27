// When a batch goes out. Pure.
#pragma once

#include <QtGlobal>

#include <algorithm>
#include <optional>

namespace redrive {

struct WaitingLine
{
    int count = 0;                         // visible messages, counted up to the batch size
    qint64 firstVisibleAtMs = 0;           // of the first of them
    bool urgent = false;                   // one of them does not wait for the time-out
    std::optional<qint64> nextVisibleAtMs; // the earliest that is not visible yet
};

struct BatchTiming
{
    bool due = false;
    std::optional<qint64> lookAgainAtMs; // when it is not due
};

// `lastTakenMs`: when the last batch of this queue went out; what it left over waits its own full time-out.
inline BatchTiming batchTiming(const WaitingLine& line, int maxBatchSize, qint64 maxBatchTimeoutMs,
                               qint64 lastTakenMs, qint64 nowMs)
{
    if (line.count == 0)
        return {false, line.nextVisibleAtMs};
    const qint64 began = std::min(std::max(line.firstVisibleAtMs, lastTakenMs), nowMs);
    const qint64 dueAt = began + maxBatchTimeoutMs;
    if (line.count >= maxBatchSize || line.urgent || nowMs >= dueAt)
        return {true, {}};
    return {false, line.nextVisibleAtMs ? std::min(dueAt, *line.nextVisibleAtMs) : dueAt};
}

} // namespace redrive
