#include "core/jobs/blocking_post.h"

#include "core/net/http_sender.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>

namespace redrive {

namespace {

constexpr std::chrono::milliseconds kLookForStop{50};

// Deliveries count their tokens from the other end.
quint64 nextToken()
{
    static std::atomic<quint64> next = quint64(1) << 63;
    return next++;
}

struct Waiting
{
    std::mutex mutex; // guards outcome
    std::condition_variable came;
    std::optional<HttpOutcome> outcome;
};

HttpOutcome post(HttpSender& sender, HttpRequest request, const StopSignal& stop)
{
    request.token = nextToken();
    const quint64 token = request.token;
    const auto waiting = std::make_shared<Waiting>();
    const bool taken = sender.send(std::move(request), [waiting](HttpOutcome outcome) {
        std::lock_guard lock(waiting->mutex);
        waiting->outcome = std::move(outcome);
        waiting->came.notify_one();
    });
    if (!taken) {
        HttpOutcome outcome;
        outcome.errorCode = QStringLiteral("cancelled");
        outcome.errorText = QStringLiteral("the engine is stopping");
        return outcome;
    }
    bool cancelled = false;
    std::unique_lock lock(waiting->mutex);
    while (!waiting->came.wait_for(lock, kLookForStop, [&] { return waiting->outcome.has_value(); })) {
        if (stop.requested && !std::exchange(cancelled, true))
            sender.cancel(token);
    }
    return std::move(*waiting->outcome);
}

} // namespace

BlockingPost blockingPost(HttpSender& sender)
{
    return [&sender](HttpRequest request, const StopSignal& stop) {
        return post(sender, std::move(request), stop);
    };
}

} // namespace redrive
