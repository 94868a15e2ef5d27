// The job type webhook_fanout: one event, one delivery per endpoint. Done as soon as every endpoint owns a
// durable delivery, which goes on by itself. An event belongs to its job: a rerun uses the one that is there
// and makes only the deliveries that are missing. Control thread.
#pragma once

#include "core/jobs/handler.h"
#include "core/webhooks/fan_out_request.h"

#include <QHash>

namespace redrive {

class DeliveryDispatcher;

class FanOutHandler final : public StoreHandler
{
public:
    // All must outlive it. `dispatcher` may be null: what is made then waits to be found.
    FanOutHandler(const Settings& settings, const EndpointRegistry& registry, DeliveryDispatcher* dispatcher);

    Result<HandlerOutcome> run(const ClaimedJob& job, Cycle& cycle) override;

private:
    Status noteEndpoint(Cycle& cycle, const FanOutTarget& target);

    const Settings& m_settings;
    const EndpointRegistry& m_registry;
    DeliveryDispatcher* m_dispatcher;
    QHash<QString, qint64> m_noted; // endpoints of payloads, and when they were last written down
};

} // namespace redrive
