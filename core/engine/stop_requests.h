// Finds what operators asked to stop among what this engine runs and sends, and hands the wish on. A handler
// that does not stop has its job cancelled without it, and loses its thread in the end. Control thread.
#pragma once

#include "core/jobs/job_runner.h"
#include "core/webhooks/delivery_dispatcher.h"

namespace redrive {

class StopRequests final : public CyclePart
{
public:
    // With the 200 ms after which another process is seen, and a program's half second between SIGTERM and
    // SIGKILL: a second.
    static constexpr qint64 kPatienceMs = 750;
    static constexpr qint64 kGiveUpMs = 10'000;

    StopRequests(JobRunner& runner, DeliveryDispatcher& deliveries)
        : m_runner(runner), m_deliveries(deliveries)
    {
    }

    // Another process may have asked.
    void lookAtStore() { m_lookAtStore = true; }

    bool hasWork(qint64 nowMs, qint64 steadyMs) const override;
    // After the command gate.
    Status apply(Cycle& cycle) override;
    std::optional<qint64> nextDeadline() const override;

private:
    Status look(Cycle& cycle);
    struct Asked
    {
        qint64 nextAtMs = 0; // steady
        bool cancelled = false;
    };
    Status pressOn(Cycle& cycle);

    JobRunner& m_runner;
    DeliveryDispatcher& m_deliveries;
    QHash<qint64, Asked> m_asked; // by claim number
    bool m_lookAtStore = false;
};

} // namespace redrive
