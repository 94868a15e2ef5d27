#include "core/webhooks/target_hosts.h"

#include "core/net/special_ranges.h"
#include "core/net/target_url.h"

namespace redrive {

namespace {

constexpr qsizetype kMostKnown = 4'096;

TargetHost read(const QString& url)
{
    const auto target = parseTargetUrl(url);
    if (!target) // refused before it is sent
        return {{}, true};
    const bool isLocal = target->address ? rangeClassOf(*target->address) != RangeClass::Global
                                         : target->host == "localhost" || target->host.endsWith(".localhost");
    return {QString::fromLatin1(target->host), isLocal};
}

} // namespace

TargetHost TargetHosts::of(const QString& url)
{
    const auto known = m_known.constFind(url);
    if (known != m_known.constEnd())
        return *known;
    if (m_known.size() >= kMostKnown)
        m_known.clear();
    return *m_known.insert(url, read(url));
}

} // namespace redrive
