// What all connections share. Intake thread.
#pragma once

#include "core/intake/access_rules.h"
#include "core/intake/completion_queue.h"
#include "core/intake/host_rules.h"
#include "core/intake/http_response.h"
#include "core/intake/http_server.h"
#include "core/intake/payload_rules.h"
#include "core/intake/routes.h"

#include <atomic>

namespace redrive {

struct HttpCounters
{
    // Of one route that takes events in.
    struct Events
    {
        std::atomic<quint64> accepted = 0;
        std::atomic<quint64> rejected = 0; // for what they are: not JSON, refused by the table
    };
    Events& events(Route route)
    {
        return route == Route::Ingest ? single : route == Route::IngestBatch ? batch : sync;
    }

    std::atomic<quint64> connections = 0;
    std::atomic<quint64> surplusConnections = 0;
    std::atomic<quint64> requests = 0;
    std::atomic<quint64> refused = 0;
    std::atomic<quint64> openConnections = 0;
    Events single;
    Events batch;
    Events sync;
};

// What was found out about a request from its head.
struct Admission
{
    RouteMatch match;
    QString token; // as AccessRules::admit() names it
};

struct HttpService
{
    // `listenHosts`: as they stand in a URL.
    HttpService(Clock& clock, IntakePort& intake, const HttpOptions& options, const QStringList& listenHosts);

    Clock& clock;
    IntakePort& port;
    const HttpLimits limits;
    const HostRules hosts;
    AccessRules access;
    const PayloadRules payloads;
    const std::shared_ptr<CompletionQueue> completions;
    DateLine date;
    HttpCounters counters;
    bool stopping = false;

    qint64 bodyLimit(Route route) const;
    // What can be said of a request when its head is there; nothing when it may go on.
    std::optional<HttpProblem> judge(const HttpHead& head, const ClientAddress& client, Admission& admission);
};

} // namespace redrive
