// What is kept of endpoints that have nothing to send: their breaker's last outcomes, their rate. A few bytes
// each, and only of those used last. Control thread.
#pragma once

#include "core/webhooks/lane.h"

#include <QString>

#include <unordered_map>
#include <vector>

namespace redrive {

class LaneMemory final
{
public:
    static constexpr size_t kMost = 20'000;

    void keep(const QString& endpointId, const Lane& lane, qint64 steadyMs)
    {
        if (lane.breaker.isBlank() && lane.rate.isFull(steadyMs)) {
            m_kept.erase(endpointId);
            return;
        }
        if (m_kept.size() >= kMost)
            forgetOlderHalf();
        m_kept.insert_or_assign(endpointId, Kept{lane.breaker, lane.rate, lane.limit, steadyMs});
    }

    // Moves what is kept into the lane.
    void restore(const QString& endpointId, Lane& lane)
    {
        const auto found = m_kept.find(endpointId);
        if (found == m_kept.end())
            return;
        lane.breaker = found->second.breaker;
        lane.rate = found->second.rate;
        if (!lane.known)
            lane.limit = found->second.limit;
        lane.known = true;
    }
    void forget(const QString& endpointId) { m_kept.erase(endpointId); }

    template <typename Visitor>
    void visit(Visitor visitor)
    {
        for (auto& [id, kept] : m_kept)
            visitor(id, kept.breaker);
    }

private:
    struct Kept
    {
        Breaker breaker;
        TokenBucket rate;
        int limit;
        qint64 usedMs;
    };

    void forgetOlderHalf()
    {
        std::vector<qint64> times;
        times.reserve(m_kept.size());
        for (const auto& [id, kept] : m_kept)
            times.push_back(kept.usedMs);
        const auto middle = times.begin() + qsizetype(times.size() / 2);
        std::nth_element(times.begin(), middle, times.end());
        std::erase_if(m_kept,
                      [oldest = *middle](const auto& entry) { return entry.second.usedMs <= oldest; });
    }

    std::unordered_map<QString, Kept> m_kept;
};

} // namespace redrive
