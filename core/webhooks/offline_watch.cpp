#include "core/webhooks/offline_watch.h"

#include <algorithm>
#include <set>

namespace redrive {

namespace {

constexpr qint64 kWindowMs = 60'000;
constexpr qint64 kTriedMs = 3'600'000;
constexpr qint64 kTriedStepMs = 60'000;
constexpr qsizetype kMostTried = 1'000;
constexpr size_t kFewestMisses = 3;
constexpr size_t kMostMisses = 1'000;
constexpr qsizetype kManyHosts = 3;
constexpr qsizetype kFewestHosts = 2;
constexpr qint64 kFirstProbeMs = 5'000;
constexpr qint64 kLongestProbeMs = 60'000;
constexpr qint64 kAnotherProbeMs = 1'000;

} // namespace

void OfflineWatch::noteHost(const QString& host, const Moment& now)
{
    const auto tried = m_tried.constFind(host);
    if (tried != m_tried.constEnd() && now.steadyMs - *tried < kTriedStepMs)
        return;
    if (m_tried.size() >= kMostTried)
        m_tried.removeIf([&](const auto& entry) { return now.steadyMs - entry.value() > kTriedMs; });
    if (m_tried.size() < kMostTried || tried != m_tried.constEnd())
        m_tried.insert(host, now.steadyMs);
}

bool OfflineWatch::enoughHosts(const Moment& now) const
{
    std::set<QString> missed;
    for (const Miss& miss : m_misses)
        missed.insert(miss.host);
    const auto tried = std::count_if(m_tried.begin(), m_tried.end(),
                                     [&](qint64 atMs) { return now.steadyMs - atMs <= kTriedMs; });
    const qsizetype wanted = std::max(kFewestHosts, std::min<qsizetype>(kManyHosts, tried));
    return qsizetype(missed.size()) >= wanted;
}

bool OfflineWatch::missed(Miss miss, bool isProbe, const Moment& now, bool isCutOff)
{
    noteHost(miss.host, now);
    if (isOffline()) {
        if (!isProbe)
            return false;
        m_waitMs = std::min(2 * m_waitMs, kLongestProbeMs);
        m_nextProbeMs = now.steadyMs + m_waitMs;
        m_probing = false;
        return false;
    }
    std::erase_if(m_misses, [&](const Miss& old) { return now.steadyMs - old.atMs > kWindowMs; });
    if (m_misses.size() < kMostMisses)
        m_misses.push_back(std::move(miss));
    if (!isCutOff && (m_misses.size() < kFewestMisses || !enoughHosts(now)))
        return false;
    m_sinceMs = now.wallMs;
    m_waitMs = kFirstProbeMs;
    m_nextProbeMs = now.steadyMs + m_waitMs;
    m_probing = false;
    return true;
}

bool OfflineWatch::reached(const QString& host, const Moment& now)
{
    noteHost(host, now);
    m_misses.clear();
    const bool was = isOffline();
    m_sinceMs.reset();
    m_probing = false;
    m_lastProbed.clear();
    return was;
}

std::optional<qint64> OfflineWatch::nextProbeMs() const
{
    return isOffline() && !m_probing ? std::optional(m_nextProbeMs) : std::nullopt;
}

void OfflineWatch::beginProbe(const QString& endpointId)
{
    m_probing = true;
    m_lastProbed = endpointId;
}

void OfflineWatch::probeSaidNothing(const Moment& now)
{
    m_probing = false;
    m_nextProbeMs = now.steadyMs + kAnotherProbeMs;
}

} // namespace redrive
