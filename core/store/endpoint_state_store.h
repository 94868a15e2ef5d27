// What holds an endpoint's deliveries back: disabled, paused by an operator, or asked to wait. Beside it what
// its TLS certificate said. Control thread, inside a turn's transaction.
#pragma once

#include "core/domain/endpoint.h"
#include "core/store/cycle.h"

#include <vector>

namespace redrive {

struct EndpointState
{
    QString id;
    std::optional<DisabledCause> disabled;
    bool pausedByOperator = false;
    qint64 pausedUntilMs = 0; // by Retry-After; 0: not
};

namespace endpoint_state_store {

Result<std::vector<EndpointState>> states(Connection& db);
Status disable(Cycle& cycle, const QString& endpointId, DisabledCause cause, const QString& by);
Status enable(Cycle& cycle, const QString& endpointId, const QString& by);
Status pause(Cycle& cycle, const QString& endpointId, const QString& by);
Status resume(Cycle& cycle, const QString& endpointId, const QString& by);
Status pauseUntil(Cycle& cycle, const QString& endpointId, qint64 untilMs);
Status noteCertificate(Cycle& cycle, const QString& endpointId, qint64 endsAtMs);

} // namespace endpoint_state_store
} // namespace redrive
