// Deletes what is older than the configuration keeps it: jobs with what belongs to them, deliveries, bodies
// of answers, letters, the bin, records. In slices of few rows with a pause between them, so that it never
// holds up work. Control thread.
#pragma once

#include "core/config/settings.h"
#include "core/store/retention_store.h"

namespace redrive {

class Retention final : public CyclePart
{
public:
    static constexpr qint64 kFirstAfterMs = 5'000; // after the start
    static constexpr qint64 kEveryMs = 60'000;
    static constexpr qint64 kPauseMs = 10; // between two slices
    static constexpr int kLook = 1'000;    // rows in a slice
    static constexpr int kMost = 250;      // of them deleted

    // `archives`: dead letters and the bin are the archive's (deadletter/archive_round.h).
    explicit Retention(RetentionSettings settings, bool archives = false)
        : m_settings(settings), m_archives(archives)
    {
    }

    bool hasWork(qint64 nowMs, qint64 steadyMs) const override;
    Status apply(Cycle& cycle) override;
    void turnBegins() override { m_saved = m_state; }
    void rolledBack(const Error&) override { m_state = m_saved; }
    std::optional<qint64> nextDeadline() const override { return m_state.nextAtSteadyMs.value_or(0); }

private:
    enum class Phase {
        Jobs,
        Deliveries,
        OpenLetters,
        Bin,
        RequeuedLetters,
        Bodies,
        Keys,
        Audit,
        Alerts,
        Sweeps,
        Operations,
        Instances,
        EndpointFigures,
        PayloadEndpoints,
        End
    };
    struct State
    {
        std::optional<qint64> nextAtSteadyMs; // nothing: not begun
        Phase phase = Phase::Jobs;
        retention_store::Walk walk; // of jobs, then of deliveries
        qint64 looked = 0;          // rows, in this round
        qint64 deleted = 0;
    };

    // True when the phase is through.
    Result<bool> slice(Cycle& cycle);
    Result<bool> walk(Cycle& cycle);
    Result<bool> piece(Cycle& cycle);
    void endRound(Cycle& cycle);

    RetentionSettings m_settings;
    bool m_archives;
    State m_state;
    State m_saved;
};

} // namespace redrive
