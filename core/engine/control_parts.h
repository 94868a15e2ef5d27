// The parts that take part in the control thread's turns, built in order. Control thread, except where their
// own headers say otherwise.
#pragma once

#include "core/deadletter/alert_keeper.h"
#include "core/engine/command_gate.h"
#include "core/engine/control.h"
#include "core/engine/engine_options.h"
#include "core/engine/outcome_watch.h"
#include "core/engine/redrive_steering.h"
#include "core/engine/stop_requests.h"
#include "core/feed/counters.h"
#include "core/intake/token_keeper.h"
#include "core/jobs/blocking_post.h"
#include "core/jobs/enqueue.h"
#include "core/jobs/job_runner.h"
#include "core/queue/consumer.h"
#include "core/queue/lease_keeper.h"
#include "core/queue/message_expiry.h"
#include "core/store/turn_inbox.h"
#include "core/sweep/retention.h"
#include "core/sweep/sweeper.h"
#include "core/telemetry/ingest_inbox.h"
#include "core/telemetry/telemetry_retention.h"
#include "core/webhooks/delivery_dispatcher.h"
#include "core/webhooks/endpoint_keeper.h"

namespace redrive {

struct ControlContext
{
    const EngineOptions& options; // outlives the parts
    Control& control;
    WorkerPool& workers;
    Counters& counters;
    std::function<void()> wake; // any thread: a turn is wanted
    std::function<bool(std::vector<HttpRequest>)> send;
    PostAlert postAlert;
    BlockingPost post; // for handlers
    std::shared_ptr<TokenBook> tokens;
    std::function<void(quint64)> cancelRequest;
};

class ControlParts final
{
public:
    explicit ControlParts(const ControlContext& context);

    // The engine's first turn: its lock and number, and the queues' rows.
    Status begin();
    // Its last: leases and claims that are left go back uncounted.
    Status end();

    EnqueueInbox& enqueueInbox() { return m_enqueue; }
    IngestInbox& ingestInbox() { return m_ingest; }
    CommandGate& gate() { return m_gate; }
    RedriveSteering& steering() { return m_steering; }
    TurnInbox& turns() { return m_turns; }
    TokenKeeper& tokens() { return m_tokens; }
    EndpointKeeper& endpointKeeper() { return m_endpointKeeper; }
    const EndpointRegistry& endpoints() const { return m_endpoints; }
    DeliveryDispatcher& deliveries() { return m_deliveries; }
    const AlertKeeper& alerts() const { return m_alerts; }

    // Takes nothing new from the queues and sends no new delivery.
    void stopTaking();
    // Asks running handlers to stop.
    void stopHandlers() { m_runner.stopHandlers(); }
    // Nothing runs any more, and every outcome is recorded.
    bool isIdle() const;
    // Requests or outcomes wait that a last turn should write.
    bool hasUnwritten() const;
    // Answers every request that is left: no turn follows any more.
    void refuseWaiting();

private:
    void registerHandlers(const BlockingPost& post, Counters& counters);
    Status makeQueues(Cycle& cycle);
    Status cancelOpen(Cycle& cycle, const EndpointChange& change);

    const EngineOptions& m_options;
    Control& m_control;
    HandlerRegistry m_registry;
    EndpointRegistry m_endpoints;
    LeaseKeeper m_leases;
    JobRunner m_runner;
    EnqueueInbox m_enqueue;
    IngestInbox m_ingest;
    CommandGate m_gate;
    RedriveSteering m_steering;
    OutcomeWatch m_outcomes;
    TokenKeeper m_tokens;
    Sweeper m_sweeper;
    MessageExpiry m_expiry;
    Retention m_retention;
    TelemetryRetention m_telemetryRetention;
    Consumer m_consumer;
    DeliveryDispatcher m_deliveries;
    EndpointKeeper m_endpointKeeper;
    StopRequests m_stops;
    TurnInbox m_turns;
    AlertKeeper m_alerts;
};

} // namespace redrive
