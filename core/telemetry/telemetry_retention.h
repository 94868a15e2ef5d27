// Deletes the oldest rows of system_telemetry when they are older than the configuration keeps them, or more
// than it keeps in all. In slices with a pause between them, so that it never holds up work. Control thread.
#pragma once

#include "core/config/settings.h"
#include "core/store/telemetry_store.h"

namespace redrive {

class TelemetryRetention final : public CyclePart
{
public:
    static constexpr qint64 kEveryMs = 5'000;
    static constexpr qint64 kPauseMs = 10;       // between two slices
    static constexpr qint64 kRefusedMs = 60'000; // after the database refused one
    static constexpr int kMost = 500;            // rows of a slice

    explicit TelemetryRetention(const RetentionSettings& settings)
        : m_keptMs(settings.telemetryMs), m_keptBytes(settings.telemetryBytes)
    {
    }

    bool hasWork(qint64 nowMs, qint64 steadyMs) const override;
    Status apply(Cycle& cycle) override;
    void turnBegins() override { m_saved = m_state; }
    void rolledBack(const Error&) override { m_state = m_saved; }
    std::optional<qint64> nextDeadline() const override { return m_state.nextAtSteadyMs.value_or(0); }

private:
    struct State
    {
        std::optional<qint64> nextAtSteadyMs; // nothing: not begun
        bool byAge = false;                   // this pass has deleted some for that reason
        bool bySize = false;
    };

    // How many rows went; there may be more to delete when it is not 0.
    Result<int> slice(Cycle& cycle);
    Result<int> tooMany(Cycle& cycle);
    Result<int> deleteOldest(Cycle& cycle, telemetry_store::PruneReason reason, qint64 untilMs, qint64 most);

    qint64 m_keptMs;
    std::optional<qint64> m_keptBytes;
    State m_state;
    State m_saved;
};

} // namespace redrive
