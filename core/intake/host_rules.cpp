#include "core/intake/host_rules.h"

#include <algorithm>
#include <optional>

namespace redrive {

namespace {

// The name in `host[:port]`; nothing when it is neither.
std::optional<QByteArrayView> nameOf(QByteArrayView host)
{
    qsizetype end = host.size();
    if (host.startsWith('[')) {
        end = host.indexOf(']') + 1;
        if (end == 0)
            return std::nullopt;
    } else if (const qsizetype colon = host.indexOf(':'); colon >= 0) {
        end = colon;
    }
    const QByteArrayView port = host.sliced(end);
    const bool isPort = port.isEmpty() || (port.front() == ':' && port.size() <= 6 &&
                                           std::all_of(port.begin() + 1, port.end(),
                                                       [](char c) { return c >= '0' && c <= '9'; }));
    return isPort && end > 0 ? std::optional(host.first(end)) : std::nullopt;
}

bool contains(const QList<QByteArray>& list, QByteArrayView word)
{
    return std::any_of(list.begin(), list.end(),
                       [&](const QByteArray& entry) { return sameWord(entry, word); });
}

QByteArrayView withoutScheme(QByteArrayView origin)
{
    for (const QByteArrayView scheme : {QByteArrayView("http://"), QByteArrayView("https://")}) {
        if (origin.size() > scheme.size() && sameWord(origin.first(scheme.size()), scheme))
            return origin.sliced(scheme.size());
    }
    return {};
}

} // namespace

HostRules::HostRules(const QStringList& hosts, const QStringList& listenHosts)
    : m_anyPort{"localhost", "127.0.0.1", "[::1]"}
{
    for (const QString& host : listenHosts)
        m_anyPort += host.toLatin1().toLower();
    for (const QString& entry : hosts) {
        const QByteArray host = entry.trimmed().toUtf8().toLower();
        const auto name = nameOf(host);
        if (name && name->size() < host.size())
            m_withPort += host;
        else if (name)
            m_anyPort += host;
    }
}

bool HostRules::accepts(QByteArrayView host) const
{
    const auto name = nameOf(host);
    return name && (contains(m_anyPort, *name) || contains(m_withPort, host));
}

bool HostRules::sameSite(const HttpHead& head)
{
    if (sameWord(head.field(HttpField::SecFetchSite), "cross-site"))
        return false;
    if (!head.has(HttpField::Origin))
        return true;
    const QByteArrayView origin = withoutScheme(head.field(HttpField::Origin));
    return !origin.isEmpty() && sameWord(origin, head.field(HttpField::Host));
}

} // namespace redrive
