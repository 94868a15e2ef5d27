// Posts webhooks: a thread of its own around libcurl's multi interface. HTTP/1.1, http and https only, no
// proxy from the environment, no netrc, no cookies, no redirects, no decompression; every address is judged
// by the guard before it is connected to. Deadlines are real time, as the sockets are.
#pragma once

#include "core/net/http_exchange.h"
#include "core/net/resolver.h"
#include "core/net/target_guard.h"

#include <functional>
#include <memory>
#include <vector>

namespace redrive {

class SenderLoop;

struct HttpSenderOptions
{
    TargetGuard guard;
    ResolveFunction resolve = resolveWithSystem;
    QString caFile;        // PEM; empty: the system's
    int maxInFlight = 512; // exchanges at once, one connection each; more wait in order, without losing time
    int idleConnectionSeconds = 30; // a kept connection older than this is not used again
};

class HttpSender final
{
public:
    using Callback = std::function<void(HttpOutcome)>;
    using ResultSink = std::function<void(std::vector<HttpOutcome>)>;

    explicit HttpSender(HttpSenderOptions options);
    ~HttpSender(); // stop(0)
    HttpSender(const HttpSender&) = delete;
    HttpSender& operator=(const HttpSender&) = delete;

    // Before start(). Outcomes come in bursts, on the sender's thread; the sink must not block.
    void setResultSink(ResultSink sink);
    void start();

    // Any thread. Every accepted request gets exactly one outcome: through its callback (on the sender's
    // thread) where one is given, else through the sink. False once stopping: nothing was taken.
    bool send(HttpRequest request, Callback callback = {});
    bool send(std::vector<HttpRequest> requests);

    // Any thread. Ends the request with `cancelled` if it is still under way, within a poll of the loop.
    void cancel(quint64 token);

    // Any thread but the sender's. beginStop() takes nothing new and lets what is under way go on; stop()
    // does the same, waits up to `graceMs` for it, ends the rest with `cancelled` and joins. Both idempotent.
    void beginStop();
    void stop(int graceMs = 0);

private:
    std::unique_ptr<SenderLoop> m_loop;
};

} // namespace redrive
