#include "core/feed/feed.h"

namespace redrive {

int Feed::subscribe(Subscriber subscriber)
{
    std::lock_guard lock(m_mutex);
    m_subscribers.emplace(m_nextHandle, std::move(subscriber));
    return m_nextHandle++;
}

void Feed::unsubscribe(int handle)
{
    std::lock_guard lock(m_mutex);
    m_subscribers.erase(handle);
}

void Feed::flush(qint64 steadyMs)
{
    if (m_waiting.isEmpty() || steadyMs < m_lastFlushMs + kIntervalMs)
        return;
    m_lastFlushMs = steadyMs;
    const ChangeSet changes = std::exchange(m_waiting, {});
    std::lock_guard lock(m_mutex);
    for (const auto& [handle, subscriber] : m_subscribers)
        subscriber(changes);
}

std::optional<qint64> Feed::nextFlush() const
{
    return m_waiting.isEmpty() ? std::nullopt : std::optional(m_lastFlushMs + kIntervalMs);
}

} // namespace redrive
