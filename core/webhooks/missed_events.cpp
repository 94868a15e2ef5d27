#include "core/webhooks/missed_events.h"

#include "core/store/delivery_store.h"
#include "core/store/endpoint_store.h"
#include "core/store/event_store.h"
#include "core/webhooks/endpoint_reader.h"
#include "core/webhooks/event_filter.h"

#include <algorithm>

namespace redrive {

namespace {

constexpr int kUsualRetries = 3; // where the event's queue is not known any more

} // namespace

Result<std::optional<EndpointSettings>> MissedEvents::find(Connection& db, const QString& endpointId) const
{
    REDRIVE_ASSIGN(stored, endpoint_store::find(db, endpointId));
    if (stored && (stored->deleted || stored->version == 0))
        return std::optional<EndpointSettings>();
    if (stored) {
        REDRIVE_ASSIGN(settings, readEndpoint(JsonSlice(stored->settings), u"endpoint"_s));
        return std::optional(std::move(settings));
    }
    for (const EndpointSettings& endpoint : m_endpoints)
        if (endpoint.id == endpointId)
            return std::optional(endpoint);
    return std::optional<EndpointSettings>();
}

const ConsumerSettings* MissedEvents::consumerOf(const QString& queue) const
{
    const auto found = std::find_if(m_consumers.begin(), m_consumers.end(),
                                    [&](const ConsumerSettings& one) { return one.queue == queue; });
    return found == m_consumers.end() ? nullptr : &*found;
}

Result<QStringList> MissedEvents::of(Connection& db, const QString& endpointId, qint64 sinceMs) const
{
    REDRIVE_ASSIGN(endpoint, find(db, endpointId));
    if (!endpoint)
        return fail(ErrorKind::InvalidInput,
                    u"the endpoint '%1' is not registered: what it wants is not known"_s.arg(endpointId));
    REDRIVE_ASSIGN(events, event_store::withoutDelivery(db, endpointId, sinceMs));
    QStringList missed;
    for (const auto& [id, type] : events)
        if (wantsEvent(endpoint->events, type))
            missed.append(id);
    return missed;
}

Result<QString> MissedEvents::refusal(Connection& db, const QString& endpointId, const QString& eventId) const
{
    REDRIVE_ASSIGN(endpoint, find(db, endpointId));
    if (!endpoint)
        return u"its endpoint is not registered any more"_s;
    if (endpoint->paused)
        return u"its endpoint is paused"_s;
    REDRIVE_ASSIGN(type, event_store::typeOf(db, eventId));
    if (!type)
        return u"is not kept any more"_s;
    if (!wantsEvent(endpoint->events, *type))
        return u"its endpoint does not take such events"_s;
    REDRIVE_ASSIGN(has, event_store::hasDelivery(db, eventId, endpointId));
    return has ? u"has a delivery to it already"_s : QString();
}

Result<MissedEvents::Delivered> MissedEvents::deliver(Cycle& cycle, const QString& endpointId,
                                                      const QString& eventId) const
{
    REDRIVE_ASSIGN(words, refusal(cycle.db, endpointId, eventId));
    if (!words.isEmpty())
        return Delivered{words, {}};
    REDRIVE_ASSIGN(event, event_store::find(cycle.db, eventId));
    REDRIVE_ASSIGN(endpoint, find(cycle.db, endpointId));
    REDRIVE_ASSIGN(queue, event_store::queueOf(cycle.db, event->jobId));
    const ConsumerSettings* consumer = consumerOf(queue);
    NewDelivery delivery;
    delivery.endpointId = endpointId;
    delivery.url = endpoint->url;
    const int retries = consumer ? consumer->maxRetries : kUsualRetries;
    delivery.budget = 1 + (endpoint->scheduleMs.isEmpty() ? retries : int(endpoint->scheduleMs.size()));
    if (consumer)
        delivery.retryBaseMs = consumer->retryDelayMs;
    delivery.isReplay = true;
    REDRIVE_TRY(delivery_store::insert(cycle, *event, delivery));
    cycle.lookAtDeliveries = true;
    REDRIVE_ASSIGN(id, event_store::deliveryOf(cycle.db, eventId, endpointId));
    return Delivered{{}, id};
}

} // namespace redrive
