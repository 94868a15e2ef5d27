#include "core/net/target_cache.h"

namespace redrive {

namespace {

constexpr auto nameLifetime = std::chrono::seconds(30);
constexpr qsizetype maxEntries = 4'096; // then everything is forgotten: simple, and rare

} // namespace

Result<std::shared_ptr<const TargetUrl>> TargetCache::target(const QString& url)
{
    if (const auto known = m_targets.constFind(url); known != m_targets.end())
        return *known;
    REDRIVE_ASSIGN(parsed, parseTargetUrl(url));
    if (m_targets.size() >= maxEntries)
        m_targets.clear();
    return *m_targets.insert(url, std::make_shared<const TargetUrl>(std::move(parsed)));
}

void TargetCache::remember(const QByteArray& host, Addresses addresses, Time now)
{
    if (m_names.size() >= maxEntries)
        m_names.clear();
    m_names.insert(host, KnownName{std::move(addresses), now + nameLifetime});
}

const Addresses* TargetCache::addresses(const QByteArray& host, Time now) const
{
    const auto known = m_names.constFind(host);
    return known != m_names.end() && now < known->until ? &known->addresses : nullptr;
}

} // namespace redrive
