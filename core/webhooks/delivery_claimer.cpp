#include "core/webhooks/delivery_claimer.h"

#include "core/base/log.h"
#include "core/store/delivery_attempt_store.h"
#include "core/store/lone_change.h"

#include <algorithm>
#include <iterator>

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

// Large bodies take more of an endpoint's turn.
int costOf(const ClaimedDelivery& claimed)
{
    constexpr qsizetype kBytesPerRequest = 32'768;
    return claimed.request.body ? 1 + int(claimed.request.body->size() / kBytesPerRequest) : 1;
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

DeliveryClaimer::DeliveryClaimer(const EndpointRegistry& registry, NetworkKeeper& network)
    : m_registry(registry), m_network(network), m_unknownEndpoint(unknownEndpoint())
{
}

void DeliveryClaimer::keepFresh(const QString& eventId, QByteArray body)
{
    m_fresh.push_back(m_bodies.keep(eventId, std::move(body)));
}

void DeliveryClaimer::endTurn()
{
    m_fresh.clear();
    m_claimed.clear();
    m_claimedOf.clear();
}

Result<std::vector<ClaimedDelivery>> DeliveryClaimer::claimDue(Cycle& cycle, LaneBook& lanes, int capacity,
                                                               bool carefully)
{
    m_carefully = carefully;
    m_now = {cycle.nowMs, cycle.steadyMs};
    std::vector<ClaimedDelivery> claims;
    std::vector<QString> round = capacity > 0 ? lanes.ready(size_t(capacity)) : std::vector<QString>();
    if (!round.empty())
        claims.reserve(size_t(capacity));
    while (capacity > 0 && !round.empty()) {
        const int share = std::max(1, capacity / int(round.size()));
        std::vector<QString> next;
        for (const QString& endpointId : round) {
            if (capacity == 0)
                break;
            Lane& lane = lanes.serve(endpointId);
            lane.credit = std::min(lane.credit + share, std::max(share, lane.limit));
            const bool wasKnown = lane.known;
            REDRIVE_TRY(claimShare(cycle, lanes, endpointId, capacity, claims));
            if (!wasKnown && lane.known) // by its first delivery
                REDRIVE_TRY(claimShare(cycle, lanes, endpointId, capacity, claims));
            if (lane.room(m_now) > 0)
                next.push_back(endpointId);
            else if (!lane.hasDue())
                lane.credit = 0;
        }
        round = std::move(next);
    }
    REDRIVE_TRY(markClaimed(cycle));
    return claims;
}

Status DeliveryClaimer::claimShare(Cycle& cycle, LaneBook& lanes, const QString& endpointId, int& capacity,
                                   std::vector<ClaimedDelivery>& out)
{
    const Lane& lane = lanes.edit(endpointId);
    const int wanted = std::min({lane.credit, lane.room(m_now), capacity});
    if (wanted > 0) {
        REDRIVE_ASSIGN(taken, claimLane(cycle, lanes, endpointId, wanted, out));
        capacity -= taken;
    }
    return {};
}

Result<int> DeliveryClaimer::claimLane(Cycle& cycle, LaneBook& lanes, const QString& endpointId, int wanted,
                                       std::vector<ClaimedDelivery>& out)
{
    Lane& lane = lanes.edit(endpointId);
    const size_t before = out.size();
    while (wanted > 0 && lane.hasDue()) {
        const HasDue dueBefore = lane.due;
        REDRIVE_ASSIGN(deliveries, pick(cycle, lane, endpointId, wanted));
        if (waitsForNetwork(deliveries, endpointId)) {
            lane.due = dueBefore;
            lane.waitsForNetwork = true;
            break;
        }
        for (const DueDelivery& delivery : deliveries) {
            --wanted;
            REDRIVE_ASSIGN(claimed, claimCarefully(cycle, delivery, endpointId));
            if (!claimed)
                continue;
            claimed->sending.probe = lane.breaker.isOpen();
            if (claimed->sending.probe)
                lane.breaker.beginProbe();
            lane.credit -= costOf(*claimed);
            lanes.useSettings(lane, claimed->sending.endpoint->settings);
            out.push_back(*std::move(claimed));
        }
    }
    const int taken = int(out.size() - before);
    lane.inFlight += taken;
    lane.rate.take(taken, m_now.steadyMs);
    return taken;
}

Status DeliveryClaimer::claimProbe(Cycle& cycle, LaneBook& lanes, std::vector<ClaimedDelivery>& out)
{
    REDRIVE_ASSIGN(endpointId, m_network.wantsProbe(cycle, lanes));
    if (!endpointId)
        return {};
    Lane& lane = lanes.edit(*endpointId);
    lane.waitsForNetwork = false;
    m_probing = true;
    const auto taken = lane.room(m_now) > 0 ? claimLane(cycle, lanes, *endpointId, 1, out) : Result<int>(0);
    m_probing = false;
    if (!taken)
        return fail(taken.error());
    lane.waitsForNetwork = lane.hasDue();
    if (*taken > 0)
        out.back().sending.networkProbe = true;
    m_network.beginProbe(*endpointId);
    if (*taken == 0)
        m_network.probeSaidNothing(m_now);
    return markClaimed(cycle);
}

bool DeliveryClaimer::waitsForNetwork(const std::vector<DueDelivery>& deliveries, const QString& endpointId)
{
    if (m_probing || !m_network.isOffline())
        return false;
    return std::any_of(deliveries.begin(), deliveries.end(), [&](const DueDelivery& delivery) {
        return m_network.holdsUp(targetOf(delivery, *endpointOf(delivery, endpointId)));
    });
}

// A registered endpoint's own URL, unless the payload was allowed to give another.
QString DeliveryClaimer::targetOf(const DueDelivery& delivery, const Endpoint& endpoint) const
{
    return !delivery.settings && !endpoint.settings.url.isEmpty() ? endpoint.settings.url : delivery.url;
}

Result<std::vector<DueDelivery>> DeliveryClaimer::pick(Cycle& cycle, Lane& lane, const QString& endpointId,
                                                       int wanted)
{
    if (m_claimedOf.contains(endpointId))
        REDRIVE_TRY(markClaimed(cycle));
    if (lane.disabled) {
        REDRIVE_ASSIGN(replays, delivery_store::dueReplays(cycle, endpointId, wanted));
        if (int(replays.size()) < wanted)
            lane.due.fill(false);
        return replays;
    }
    std::vector<DueDelivery> picked;
    const PerClass shares = lane.classes.share(wanted, lane.due);
    for (const SendClass sendClass : kSendClasses) {
        const int share = shares[size_t(sendClass)];
        if (share == 0)
            continue;
        REDRIVE_ASSIGN(found, delivery_store::due(cycle, endpointId, sendClass, share));
        lane.due[size_t(sendClass)] = int(found.size()) == share;
        std::move(found.begin(), found.end(), std::back_inserter(picked));
    }
    return picked;
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

    const QString url = targetOf(delivery, endpoint);
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
    if (m_carefully || delivery.attempts > 0) {
        REDRIVE_TRY(delivery_store::claim(cycle, delivery));
    } else {
        m_claimed.push_back(delivery.rowKey);
        m_claimedOf.insert(endpointId);
    }
    cycle.changes.touch(delivery.id);

    claimed.request = std::move(request.http);
    claimed.sending.url = url;
    claimed.sending.delivery = std::move(delivery);
    return claimed;
}

Status DeliveryClaimer::markClaimed(Cycle& cycle)
{
    if (m_claimed.empty())
        return {};
    REDRIVE_TRY(delivery_store::claimFirst(cycle, m_claimed));
    m_claimed.clear();
    m_claimedOf.clear();
    return {};
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
