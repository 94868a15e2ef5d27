// What all connections share. Intake thread.
#pragma once

#include "core/intake/bearer_tokens.h"
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
    std::atomic<quint64> connections = 0;
    std::atomic<quint64> surplusConnections = 0;
    std::atomic<quint64> requests = 0;
    std::atomic<quint64> refused = 0;
    std::atomic<quint64> openConnections = 0;
};

struct HttpService
{
    HttpService(Clock& clock, IntakePort& intake, const HttpOptions& options, const QString& listenHost);

    Clock& clock;
    IntakePort& port;
    const HttpLimits limits;
    const HostRules hosts;
    const std::optional<BearerTokens> tokens;
    const PayloadRules payloads;
    const std::shared_ptr<CompletionQueue> completions;
    DateLine date;
    HttpCounters counters;
    bool stopping = false;

    qint64 bodyLimit(Route route) const;
    // What can be said of a request when its head is there; nothing when it may go on. `match` is the route.
    std::optional<HttpProblem> judge(const HttpHead& head, RouteMatch& match) const;
};

} // namespace redrive
