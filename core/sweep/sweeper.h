// The periodic repair: messages held by an engine that the store does not know are free again, jobs whose
// message was lost get one, jobs left in `processing` without a lease go back to their queue. Runs at start,
// on each tick of the crons and at least every five minutes; a tick missed while asleep runs once. Works in
// slices, so that it never holds up other work. Control thread.
#pragma once

#include "core/config/cron_expression.h"
#include "core/config/settings.h"
#include "core/store/sweep_store.h"

namespace redrive {

class Sweeper final : public CyclePart
{
public:
    explicit Sweeper(const Settings& settings);

    bool hasWork(qint64 nowMs, qint64 steadyMs) const override;
    Status apply(Cycle& cycle) override;
    void turnBegins() override { m_saved = m_state; }
    void rolledBack(const Error& error) override;
    std::optional<qint64> nextDeadline() const override;

private:
    enum class Phase { Held, Lost, Stuck };
    struct Sweep
    {
        SweepRecord record;
        Phase phase = Phase::Held;
        qint64 afterSeq = 0; // Held
        QString afterId;     // Lost, Stuck
    };

    void schedule(qint64 nowMs, qint64 steadyMs);
    Status step(Cycle& cycle, Sweep& sweep);
    Status freeHeld(Cycle& cycle, Sweep& sweep);
    void noteFailure(Sweep& sweep, const QString& what, const Error& error);
    Status finish(Cycle& cycle, const Sweep& sweep);
    bool isLost(const SweepCandidate& job, qint64 nowMs) const;
    bool isStuck(const SweepCandidate& job, qint64 nowMs) const;
    Status repair(Cycle& cycle, const SweepCandidate& job, Phase phase);
    Status publish(Cycle& cycle, const SweepCandidate& job, int attempts);

    const Settings& m_settings;
    QList<CronExpression> m_crons;
    struct State
    {
        std::optional<Sweep> sweep;
        qint64 nextAtMs = 0;       // wall clock, from the crons
        qint64 nextAtSteadyMs = 0; // whichever comes first
        bool first = true;
    };
    State m_state;
    State m_saved;
};

} // namespace redrive
