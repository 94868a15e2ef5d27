// Tells subscribers what commits changed: merged, at most ten times a second. publish() and flush() on the
// control thread, which also calls the subscribers; subscribing from any thread.
#pragma once

#include "core/domain/change_set.h"

#include <functional>
#include <map>
#include <mutex>
#include <optional>

namespace redrive {

class Feed final
{
public:
    static constexpr qint64 kIntervalMs = 100;

    using Subscriber = std::function<void(const ChangeSet&)>;

    int subscribe(Subscriber subscriber);
    // No call to the subscriber is running or begins after it returns. Not from within a subscriber.
    void unsubscribe(int handle);

    void publish(const ChangeSet& changes) { m_waiting.merge(changes); }
    void flush(qint64 steadyMs);
    std::optional<qint64> nextFlush() const;

private:
    ChangeSet m_waiting;
    qint64 m_lastFlushMs = -kIntervalMs;
    std::mutex m_mutex; // guards the rest
    std::map<int, Subscriber> m_subscribers;
    int m_nextHandle = 1;
};

} // namespace redrive
