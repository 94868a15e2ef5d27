#include "core/webhooks/delivery_claimer.h"

#include "core/base/log.h"
#include "core/store/delivery_attempt_store.h"
#include "core/store/lone_change.h"

#include <algorithm>

namespace redrive {

namespace {

constexpr size_t kPayloadEndpointsKept = 256;

std::shared_ptr<const Endpoint> unknownEndpoint()
{
    Endpoint endpoint;
    endpoint.problemCode = u"endpoint_unknown"_s;
    endpoint.problem = u"this endpoint is not registered any more"_s;
    return std::make_shared<const Endpoint>(std::move(endpoint));
}

HttpOutcome notSent(const QString& code, const QString& text, bool permanent)
{
    HttpOutcome outcome;
    outcome.errorCode = code;
    outcome.errorText = text;
    outcome.permanent = permanent;
    return outcome;
}

} // namespace

DeliveryClaimer::DeliveryClaimer(const EndpointRegistry& registry)
    : m_registry(registry), m_unknownEndpoint(unknownEndpoint())
{
}

void DeliveryClaimer::keepFresh(const QString& eventId, QByteArray body)
{
    m_fresh.push_back(m_bodies.keep(eventId, std::move(body)));
}

Result<std::vector<ClaimedDelivery>> DeliveryClaimer::claimDue(Cycle& cycle, LaneBook& lanes, int capacity,
                                                               bool carefully)
{
    m_carefully = carefully;
    std::vector<ClaimedDelivery> claims;
    const QStringList ready = capacity > 0 ? lanes.ready(cycle.nowMs) : QStringList();
    if (ready.isEmpty())
        return claims;
    claims.reserve(size_t(capacity));
    // First an equal share for each, then what is left for those that want more.
    const int share = std::max(1, capacity / int(ready.size()));
    const qsizetype first = m_rotation++ % ready.size();
    for (const int limit : {share, capacity}) {
        for (qsizetype i = 0; i < ready.size() && capacity > 0; ++i) {
            const QString& endpointId = ready[(first + i) % ready.size()];
            REDRIVE_ASSIGN(taken, claimLane(cycle, lanes, endpointId, std::min(limit, capacity), claims));
            capacity -= taken;
        }
    }
    return claims;
}

Result<int> DeliveryClaimer::claimLane(Cycle& cycle, LaneBook& lanes, const QString& endpointId, int limit,
                                       std::vector<ClaimedDelivery>& out)
{
    Lane& lane = lanes.edit(endpointId);
    if (!lane.ready(cycle.nowMs))
        return 0;
    const int wanted = std::min(limit, lane.freeSlots());
    REDRIVE_ASSIGN(deliveries, delivery_store::due(cycle, endpointId, wanted, lane.disabled));
    int taken = 0;
    for (const DueDelivery& delivery : deliveries) {
        REDRIVE_ASSIGN(claimed, claimCarefully(cycle, delivery, endpointId));
        if (!claimed)
            continue;
        lane.limit = claimed->sending.endpoint->settings.maxInFlight;
        out.push_back(*std::move(claimed));
        ++taken;
    }
    lane.inFlight += taken;
    lane.due = int(deliveries.size()) == wanted;
    return taken;
}

Result<std::optional<ClaimedDelivery>>
DeliveryClaimer::claimCarefully(Cycle& cycle, const DueDelivery& delivery, const QString& endpointId)
{
    const auto claimIt = [&] { return claim(cycle, delivery, endpointId); };
    auto claimed = m_carefully ? changeAlone(cycle, claimIt) : claimIt();
    if (claimed)
        return *std::move(claimed);
    if (!m_carefully || concernsTheStore(claimed.error()))
        return fail(claimed.error());
    logEvent(LogLevel::Error, "delivery_put_off",
             {{"delivery", delivery.id}, {"error", claimed.error().text()}});
    REDRIVE_TRY(delivery_store::putOff(cycle, delivery.rowKey, cycle.nowMs + kPutOffMs));
    return std::nullopt;
}

Result<ClaimedDelivery> DeliveryClaimer::claim(Cycle& cycle, DueDelivery delivery, const QString& endpointId)
{
    ClaimedDelivery claimed;
    claimed.sending.endpoint = endpointOf(delivery, endpointId);
    claimed.sending.endpointId = endpointId;
    const Endpoint& endpoint = *claimed.sending.endpoint;
    REDRIVE_ASSIGN(body, bodyOf(cycle, delivery.eventId));

    const bool registered = !delivery.settings && !endpoint.settings.url.isEmpty();
    const QString url = registered ? endpoint.settings.url : delivery.url;
    auto request =
        buildDeliveryRequest(endpoint, url, delivery.eventId,
                             body ? body : std::make_shared<const QByteArray>(), cycle.nowSeconds());
    if (!body)
        claimed.immediate = notSent(u"event_gone"_s, u"the event is not kept any more"_s, true);
    else if (!endpoint.problem.isEmpty())
        claimed.immediate = notSent(endpoint.problemCode, endpoint.problem, false);

    DeliveryAttempt attempt;
    attempt.attempt = delivery.attempts + 1;
    attempt.kind = delivery.replayOf ? u"replay"_s : u"scheduled"_s;
    if (delivery.replayOf && *delivery.replayOf > 0)
        attempt.replayOf = delivery.replayOf;
    attempt.url = url;
    attempt.requestHeaders = std::move(request.shownHeaders);
    if (endpoint.version > 0)
        attempt.endpointVersion = endpoint.version;
    REDRIVE_TRY(delivery_attempt_store::begin(cycle, delivery.id, attempt));
    REDRIVE_TRY(delivery_store::claim(cycle, delivery));

    claimed.request = std::move(request.http);
    claimed.sending.delivery = std::move(delivery);
    return claimed;
}

Result<std::shared_ptr<const QByteArray>> DeliveryClaimer::bodyOf(Cycle& cycle, const QString& eventId)
{
    if (auto kept = m_bodies.find(eventId))
        return kept;
    REDRIVE_ASSIGN(body, event_store::body(cycle.db, eventId));
    if (!body)
        return std::shared_ptr<const QByteArray>();
    return m_bodies.keep(eventId, *std::move(body));
}

std::shared_ptr<const Endpoint> DeliveryClaimer::endpointOf(const DueDelivery& delivery,
                                                            const QString& endpointId)
{
    if (auto registered = m_registry.find(endpointId))
        return registered;
    if (!delivery.settings)
        return m_unknownEndpoint;
    if (const auto known = m_payloadEndpoints.find(*delivery.settings); known != m_payloadEndpoints.end())
        return known->second;
    if (m_payloadEndpoints.size() >= kPayloadEndpointsKept)
        m_payloadEndpoints.clear();
    auto made = m_registry.fromPayload(endpointId, *delivery.settings);
    m_payloadEndpoints.emplace(*delivery.settings, made);
    return made;
}

} // namespace redrive
