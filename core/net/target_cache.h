// What the sender remembers between requests: URLs read already, and for half a minute the addresses of
// names. Not thread-safe.
#pragma once

#include "core/net/resolver.h"
#include "core/net/target_url.h"

#include <QHash>

#include <chrono>
#include <memory>

namespace redrive {

class TargetCache final
{
public:
    using Time = std::chrono::steady_clock::time_point;

    Result<std::shared_ptr<const TargetUrl>> target(const QString& url);

    void remember(const QByteArray& host, Addresses addresses, Time now);
    // Nothing where the name is unknown or was resolved too long ago.
    const Addresses* addresses(const QByteArray& host, Time now) const;

private:
    struct KnownName
    {
        Addresses addresses;
        Time until;
    };

    QHash<QString, std::shared_ptr<const TargetUrl>> m_targets;
    QHash<QByteArray, KnownName> m_names;
};

} // namespace redrive
