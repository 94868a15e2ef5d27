// Collects the outcomes of an HttpSender and lets a test wait for one. Any thread.
#pragma once

#include "core/net/http_exchange.h"

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace redrive::test {

class OutcomeBox final
{
public:
    void add(std::vector<HttpOutcome> outcomes)
    {
        std::lock_guard lock(m_mutex);
        ++m_bursts;
        for (HttpOutcome& outcome : outcomes)
            m_outcomes.emplace(outcome.token, std::move(outcome));
        m_changed.notify_all();
    }

    std::optional<HttpOutcome> wait(quint64 token, int timeoutMs = 10'000)
    {
        std::unique_lock lock(m_mutex);
        if (!m_changed.wait_for(lock, std::chrono::milliseconds(timeoutMs),
                                [&] { return m_outcomes.contains(token); }))
            return std::nullopt;
        return m_outcomes.find(token)->second;
    }

    bool waitForCount(size_t count, int timeoutMs = 10'000)
    {
        std::unique_lock lock(m_mutex);
        return m_changed.wait_for(lock, std::chrono::milliseconds(timeoutMs),
                                  [&] { return m_outcomes.size() >= count; });
    }

    size_t count() const
    {
        std::lock_guard lock(m_mutex);
        return m_outcomes.size();
    }
    size_t countOf(quint64 token) const
    {
        std::lock_guard lock(m_mutex);
        return m_outcomes.count(token);
    }
    int bursts() const
    {
        std::lock_guard lock(m_mutex);
        return m_bursts;
    }

private:
    mutable std::mutex m_mutex; // guards the rest
    std::condition_variable m_changed;
    std::multimap<quint64, HttpOutcome> m_outcomes;
    int m_bursts = 0;
};

} // namespace redrive::test
