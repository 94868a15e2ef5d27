// Takes due deliveries out of the store, in turns between endpoints and within each one's limit, and builds
// their requests. Control thread, inside a turn's transaction.
#pragma once

#include "core/store/cycle.h"
#include "core/webhooks/body_cache.h"
#include "core/webhooks/delivery_request.h"
#include "core/webhooks/lane_book.h"
#include "core/webhooks/sending.h"

namespace redrive {

struct ClaimedDelivery
{
    Sending sending;
    HttpRequest request;
    std::optional<HttpOutcome> immediate; // nothing can be sent: this is what becomes of the attempt
};

class DeliveryClaimer final
{
public:
    explicit DeliveryClaimer(const EndpointRegistry& registry);

    // The body of an event made in this turn.
    void keepFresh(const QString& eventId, QByteArray body);
    void endTurn() { m_fresh.clear(); }

    static constexpr qint64 kPutOffMs = 60'000;

    // Up to `capacity`, one attempt each. Carefully: what the database refuses is put off by kPutOffMs and
    // stops no other.
    Result<std::vector<ClaimedDelivery>> claimDue(Cycle& cycle, LaneBook& lanes, int capacity,
                                                  bool carefully);

private:
    Result<int> claimLane(Cycle& cycle, LaneBook& lanes, const QString& endpointId, int limit,
                          std::vector<ClaimedDelivery>& out);
    Result<std::optional<ClaimedDelivery>> claimCarefully(Cycle& cycle, const DueDelivery& delivery,
                                                          const QString& endpointId);
    Result<ClaimedDelivery> claim(Cycle& cycle, DueDelivery delivery, const QString& endpointId);
    Result<std::shared_ptr<const QByteArray>> bodyOf(Cycle& cycle, const QString& eventId);
    std::shared_ptr<const Endpoint> endpointOf(const DueDelivery& delivery, const QString& endpointId);

    const EndpointRegistry& m_registry;
    std::shared_ptr<const Endpoint> m_unknownEndpoint;
    std::unordered_map<QByteArray, std::shared_ptr<const Endpoint>> m_payloadEndpoints; // by their JSON
    BodyCache m_bodies;
    std::vector<std::shared_ptr<const QByteArray>> m_fresh;
    qsizetype m_rotation = 0; // which lane is first
    bool m_carefully = false; // in this turn
};

} // namespace redrive
