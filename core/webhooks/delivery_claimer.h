// Takes due deliveries out of the store and builds their requests. Between endpoints by deficit round robin:
// each gets an equal share of what is free, large bodies count more, and what one does not use or cannot be
// given it has to its credit; within one by its classes. Control thread, inside a turn's transaction.
#pragma once

#include "core/store/cycle.h"
#include "core/webhooks/body_cache.h"
#include "core/webhooks/delivery_request.h"
#include "core/webhooks/lane_book.h"
#include "core/webhooks/network_keeper.h"
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
    DeliveryClaimer(const EndpointRegistry& registry, NetworkKeeper& network);

    // The body of an event made in this turn.
    void keepFresh(const QString& eventId, QByteArray body);
    void endTurn();

    static constexpr qint64 kPutOffMs = 60'000;

    // Up to `capacity`, one attempt each. Carefully: what the database refuses is put off by kPutOffMs and
    // stops no other.
    Result<std::vector<ClaimedDelivery>> claimDue(Cycle& cycle, LaneBook& lanes, int capacity,
                                                  bool carefully);
    // One delivery of an endpoint that waits for the network, to see whether it is back.
    Status claimProbe(Cycle& cycle, LaneBook& lanes, std::vector<ClaimedDelivery>& out);

private:
    // As much as the lane has credit and room for; takes it from the capacity.
    Status claimShare(Cycle& cycle, LaneBook& lanes, const QString& endpointId, int& capacity,
                      std::vector<ClaimedDelivery>& out);
    Result<int> claimLane(Cycle& cycle, LaneBook& lanes, const QString& endpointId, int wanted,
                          std::vector<ClaimedDelivery>& out);
    // Notes in the lane which classes have nothing left.
    Result<std::vector<DueDelivery>> pick(Cycle& cycle, Lane& lane, const QString& endpointId, int wanted);
    Result<std::optional<ClaimedDelivery>> claimCarefully(Cycle& cycle, const DueDelivery& delivery,
                                                          const QString& endpointId);
    Result<ClaimedDelivery> claim(Cycle& cycle, DueDelivery delivery, const QString& endpointId);
    // Marks the first attempts claimed since it was called last.
    Status markClaimed(Cycle& cycle);
    Result<std::shared_ptr<const QByteArray>> bodyOf(Cycle& cycle, const QString& eventId);
    std::shared_ptr<const Endpoint> endpointOf(const DueDelivery& delivery, const QString& endpointId);

    QString targetOf(const DueDelivery& delivery, const Endpoint& endpoint) const;
    bool waitsForNetwork(const std::vector<DueDelivery>& deliveries, const QString& endpointId);

    const EndpointRegistry& m_registry;
    NetworkKeeper& m_network;
    std::shared_ptr<const Endpoint> m_unknownEndpoint;
    std::unordered_map<QByteArray, std::shared_ptr<const Endpoint>> m_payloadEndpoints; // by their JSON
    BodyCache m_bodies;
    std::vector<std::shared_ptr<const QByteArray>> m_fresh;
    // Of this turn:
    bool m_carefully = false;
    // Row keys of first attempts, to be marked before their endpoints are asked again.
    std::vector<qint64> m_claimed;
    QSet<QString> m_claimedOf; // their endpoints
    bool m_probing = false;    // what is claimed now goes out although the engine is offline
    Moment m_now;
};

} // namespace redrive
