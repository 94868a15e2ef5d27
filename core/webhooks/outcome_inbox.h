// What came back, between the sender's thread and the control thread. Any thread.
#pragma once

#include "core/net/http_exchange.h"

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
        return first;
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
    mutable std::mutex m_mutex; // guards m_outcomes
    std::vector<HttpOutcome> m_outcomes;
};

} // namespace redrive
