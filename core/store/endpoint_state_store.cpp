#include "core/store/endpoint_state_store.h"

#include "core/store/endpoint_store.h"

namespace redrive::endpoint_state_store {

namespace {

constexpr char kStates[] = "SELECT id, disabled_at_ms IS NOT NULL, disabled_cause, paused_at_ms IS NOT NULL, "
                           "COALESCE(paused_until_ms, 0) FROM webhook_endpoints";
constexpr char kDisable[] =
    "INSERT INTO webhook_endpoints (id, disabled_at_ms, disabled_cause, changed_by) VALUES (?, ?, ?, ?) "
    "ON CONFLICT (id) DO UPDATE SET disabled_at_ms = excluded.disabled_at_ms, "
    "disabled_cause = excluded.disabled_cause, changed_by = excluded.changed_by";
constexpr char kEnable[] = "UPDATE webhook_endpoints SET disabled_at_ms = NULL, disabled_cause = NULL, "
                           "changed_by = ? WHERE id = ?";
constexpr char kPause[] =
    "INSERT INTO webhook_endpoints (id, paused_at_ms, changed_by) VALUES (?, ?, ?) "
    "ON CONFLICT (id) DO UPDATE SET paused_at_ms = excluded.paused_at_ms, changed_by = excluded.changed_by";
// Whoever resumes it does not wait for what it asked for either.
constexpr char kResume[] =
    "UPDATE webhook_endpoints SET paused_at_ms = NULL, paused_until_ms = NULL, changed_by = ? WHERE id = ?";
constexpr char kPauseUntil[] = "INSERT INTO webhook_endpoints (id, paused_until_ms) VALUES (?, ?) "
                               "ON CONFLICT (id) DO UPDATE SET paused_until_ms = excluded.paused_until_ms";
constexpr char kCertificate[] =
    "INSERT INTO webhook_endpoints (id, certificate_ends_at_ms) VALUES (?, ?) "
    "ON CONFLICT (id) DO UPDATE SET certificate_ends_at_ms = excluded.certificate_ends_at_ms";

} // namespace

Result<std::vector<EndpointState>> states(Connection& db)
{
    auto query = db.query(kStates);
    std::vector<EndpointState> found;
    while (query.next()) {
        EndpointState state;
        state.id = query.text(0);
        if (query.int64(1) != 0)
            state.disabled = disabledCauseFrom(query.text(2));
        state.pausedByOperator = query.int64(3) != 0;
        state.pausedUntilMs = query.int64(4);
        found.push_back(std::move(state));
    }
    REDRIVE_TRY(query.status());
    return found;
}

Status disable(Cycle& cycle, const QString& endpointId, DisabledCause cause, const QString& by)
{
    auto query = cycle.db.query(kDisable);
    REDRIVE_TRY(query.bind(endpointId).bind(cycle.nowMs).bind(toText(cause)).bindTextOrNull(by).run());
    return endpoint_store::noteChange(cycle);
}

Status enable(Cycle& cycle, const QString& endpointId, const QString& by)
{
    auto query = cycle.db.query(kEnable);
    REDRIVE_TRY(query.bindTextOrNull(by).bind(endpointId).run());
    return endpoint_store::noteChange(cycle);
}

Status pause(Cycle& cycle, const QString& endpointId, const QString& by)
{
    auto query = cycle.db.query(kPause);
    REDRIVE_TRY(query.bind(endpointId).bind(cycle.nowMs).bindTextOrNull(by).run());
    return endpoint_store::noteChange(cycle);
}

Status resume(Cycle& cycle, const QString& endpointId, const QString& by)
{
    auto query = cycle.db.query(kResume);
    REDRIVE_TRY(query.bindTextOrNull(by).bind(endpointId).run());
    return endpoint_store::noteChange(cycle);
}

Status pauseUntil(Cycle& cycle, const QString& endpointId, qint64 untilMs)
{
    auto query = cycle.db.query(kPauseUntil);
    REDRIVE_TRY(query.bind(endpointId).bind(untilMs).run());
    return endpoint_store::noteChange(cycle);
}

Status noteCertificate(Cycle& cycle, const QString& endpointId, qint64 endsAtMs)
{
    auto query = cycle.db.query(kCertificate);
    REDRIVE_TRY(query.bind(endpointId).bind(endsAtMs).run());
    cycle.changes.endpoints = true;
    return {};
}

} // namespace redrive::endpoint_state_store
