// Deletes messages that are older than their queue keeps them, paused queues included, in slices with other
// work between them. What is in flight finishes. Control thread.
#pragma once

#include "core/config/settings.h"
#include "core/feed/counters.h"
#include "core/store/cycle.h"

namespace redrive {

class MessageExpiry final : public CyclePart
{
public:
    static constexpr qint64 kLookEveryMs = 10'000; // no message expires sooner after it was sent
    static constexpr int kSlice = 500;

    explicit MessageExpiry(Counters& counters) : m_counters(counters) {}

    // The wall clock jumped, or another process changed what queues keep.
    void lookNow() { m_lookAtSteadyMs = 0; }

    bool hasWork(qint64 nowMs, qint64 steadyMs) const override;
    Status apply(Cycle& cycle) override;
    void turnBegins() override { m_saved = m_lookAtSteadyMs; }
    void rolledBack(const Error&) override { m_lookAtSteadyMs = m_saved; }
    std::optional<qint64> nextDeadline() const override { return m_lookAtSteadyMs; }

private:
    // True when there may be more.
    Result<bool> expireSlice(Cycle& cycle, const QString& queue, qint64 sentUntilMs);

    Counters& m_counters;
    qint64 m_lookAtSteadyMs = 0;
    qint64 m_saved = 0;
};

} // namespace redrive
