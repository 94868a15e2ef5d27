// What came back, between the sender's thread and the control thread. Any thread.
#pragma once

#include "core/net/http_exchange.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <iterator>
#include <mutex>
#include <vector>

namespace redrive {

class OutcomeInbox final
{
public:
    // True when it was empty: the reader has to be woken.
    bool put(std::vector<HttpOutcome> outcomes)
    {
        std::lock_guard lock(m_mutex);
        const bool first = m_outcomes.empty() && !outcomes.empty();
        std::move(outcomes.begin(), outcomes.end(), std::back_inserter(m_outcomes));
        if (m_wanted > 0 && m_outcomes.size() >= m_wanted)
            m_more.notify_one();
        return first;
    }

    // Control thread, before a turn: while many come, lets half of what is under way come together, so that
    // one half is recorded while the other is sent. One after another, few would share a commit; all at once,
    // the sender and the store would wait for each other.
    void gather(size_t underWay)
    {
        std::unique_lock lock(m_mutex);
        if (m_outcomes.empty())
            return;
        m_wanted = m_expected < kCrowd ? 0 : underWay / 2;
        const auto end = std::chrono::steady_clock::now() + kLongestGather;
        for (size_t seen = 0; m_outcomes.size() > seen && m_outcomes.size() < m_wanted;) {
            seen = m_outcomes.size();
            const auto until = std::min(end, std::chrono::steady_clock::now() + kLongestGap);
            m_more.wait_until(lock, until, [&] { return m_outcomes.size() >= m_wanted; });
        }
        m_wanted = 0;
        m_expected = std::max(m_outcomes.size(), m_expected - (m_expected + 7) / 8);
    }

    void takeInto(std::vector<HttpOutcome>& out)
    {
        std::lock_guard lock(m_mutex);
        std::move(m_outcomes.begin(), m_outcomes.end(), std::back_inserter(out));
        m_outcomes.clear();
    }

    bool isEmpty() const
    {
        std::lock_guard lock(m_mutex);
        return m_outcomes.empty();
    }

private:
    static constexpr size_t kCrowd = 8; // fewer at a time are not waited for
    static constexpr std::chrono::microseconds kLongestGap{500};
    static constexpr std::chrono::microseconds kLongestGather{4'000};

    mutable std::mutex m_mutex; // guards what follows
    std::condition_variable m_more;
    std::vector<HttpOutcome> m_outcomes;
    size_t m_expected = 0; // as many as came together lately
    size_t m_wanted = 0;   // outcomes that gather() waits for
};

} // namespace redrive
