#include "core/sweep/retention.h"

#include "core/base/log.h"
#include "core/store/endpoint_stats_store.h"
#include "core/store/endpoint_store.h"
#include "core/store/idempotency_store.h"
#include "core/store/lone_change.h"

namespace redrive {

namespace {

constexpr qint64 kFiguresKeptMs = 7 * 86'400'000LL;
constexpr double kRestPerRow = 0.6; // ms: a round over a million rows is followed by ten minutes without

} // namespace

bool Retention::hasWork(qint64, qint64 steadyMs) const
{
    return !m_state.nextAtSteadyMs || steadyMs >= *m_state.nextAtSteadyMs;
}

Status Retention::apply(Cycle& cycle)
{
    if (!m_state.nextAtSteadyMs) {
        m_state.nextAtSteadyMs = cycle.steadyMs + kFirstAfterMs;
        return {};
    }
    if (!hasWork(cycle.nowMs, cycle.steadyMs))
        return {};
    m_state.nextAtSteadyMs = cycle.steadyMs + kPauseMs;
    if (m_state.phase == Phase::End) {
        endRound(cycle);
        return {};
    }
    REDRIVE_ASSIGN(through, slice(cycle));
    if (through) {
        m_state.phase = Phase(int(m_state.phase) + 1);
        m_state.walk = {};
    }
    if (m_state.phase == Phase::End)
        endRound(cycle);
    return {};
}

Result<bool> Retention::slice(Cycle& cycle)
{
    const bool walks = m_state.phase == Phase::Jobs || m_state.phase == Phase::Deliveries;
    auto through = changeAlone(cycle, [&] { return walks ? walk(cycle) : piece(cycle); });
    if (through || concernsTheStore(through.error()))
        return through;
    logEvent(LogLevel::Error, "retention_refused", {{"error", through.error().text()}});
    return true; // what the database refuses waits for the next round, and holds nothing else up
}

Result<bool> Retention::walk(Cycle& cycle)
{
    const bool jobs = m_state.phase == Phase::Jobs;
    const qint64 until = cycle.nowMs - (jobs ? m_settings.jobsMs : m_settings.deliveriesMs);
    const auto step = jobs ? retention_store::deleteJobs : retention_store::deleteDeliveries;
    REDRIVE_ASSIGN(on, step(cycle, m_state.walk, until, kLook, kMost));
    m_state.walk = on;
    m_state.looked += on.looked;
    m_state.deleted += on.deleted;
    return on.atEnd;
}

Result<bool> Retention::piece(Cycle& cycle)
{
    using namespace retention_store;
    const auto run = [&](Result<int> (*step)(Cycle&, qint64, int), qint64 keptMs) -> Result<bool> {
        REDRIVE_ASSIGN(deleted, step(cycle, cycle.nowMs - keptMs, kMost));
        m_state.deleted += deleted;
        return deleted < kMost;
    };
    switch (m_state.phase) {
    case Phase::OpenLetters:
        return m_archives ? true : run(deleteOpenLetters, m_settings.lettersMs);
    case Phase::Bin:
        return m_archives ? true : run(deleteDiscardedLetters, m_settings.binMs);
    case Phase::RequeuedLetters:
        return run(deleteRequeuedLetters, m_settings.lettersMs);
    case Phase::Bodies:
        return run(dropResponseBodies, m_settings.bodiesMs);
    case Phase::Keys: {
        REDRIVE_ASSIGN(deleted, idempotency_store::prune(cycle, kMost));
        return deleted < kMost;
    }
    case Phase::Audit:
        return run(deleteAudit, m_settings.auditMs);
    case Phase::Alerts:
        return run(deleteAlerts, m_settings.auditMs);
    case Phase::Sweeps:
        return run(deleteSweeps, m_settings.auditMs);
    case Phase::Operations:
        return run(deleteOperations, m_settings.auditMs);
    case Phase::Instances: // attempts name them
        return run(deleteInstances, std::max(m_settings.jobsMs, m_settings.deliveriesMs));
    case Phase::EndpointFigures:
        return run(endpoint_stats_store::prune, kFiguresKeptMs);
    case Phase::PayloadEndpoints:
        return run(endpoint_store::forgetPayload, m_settings.deliveriesMs);
    case Phase::Jobs:
    case Phase::Deliveries:
    case Phase::End:
        break;
    }
    return true;
}

void Retention::endRound(Cycle& cycle)
{
    if (m_state.deleted > 0)
        cycle.afterCommit.push_back([deleted = m_state.deleted] {
            logEvent(LogLevel::Info, "retention", {{"deleted", QString::number(deleted)}});
        });
    const qint64 restMs = std::max(kEveryMs, qint64(double(m_state.looked) * kRestPerRow));
    m_state = {};
    m_state.nextAtSteadyMs = cycle.steadyMs + restMs;
}

} // namespace redrive
