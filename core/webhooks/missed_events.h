// Events that an endpoint never got: it was registered or subscribed later, or the event named others.
// Immutable; any thread, deliver() inside a turn.
#pragma once

#include "core/config/settings.h"
#include "core/store/cycle.h"

#include <QStringList>

#include <optional>

namespace redrive {

class MissedEvents final
{
public:
    explicit MissedEvents(const Settings& settings)
        : m_endpoints(settings.endpoints), m_consumers(settings.consumers)
    {
    }

    // Those since a time (unix ms) that the endpoint's filter wants and that have no delivery to it, oldest
    // first. InvalidInput for an endpoint that is not registered.
    Result<QStringList> of(Connection& db, const QString& endpointId, qint64 sinceMs) const;
    // Why the event cannot be delivered to it, in words that follow the event's id; empty: it can.
    Result<QString> refusal(Connection& db, const QString& endpointId, const QString& eventId) const;

    struct Delivered
    {
        QString refusal;
        QString deliveryId;
    };
    // Makes the delivery, due at once, with the same event id and body.
    Result<Delivered> deliver(Cycle& cycle, const QString& endpointId, const QString& eventId) const;

private:
    // Nothing: it is not registered.
    Result<std::optional<EndpointSettings>> find(Connection& db, const QString& endpointId) const;
    const ConsumerSettings* consumerOf(const QString& queue) const;

    QList<EndpointSettings> m_endpoints; // where the store does not know one yet
    QList<ConsumerSettings> m_consumers;
};

} // namespace redrive
