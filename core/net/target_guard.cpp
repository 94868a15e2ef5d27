#include "core/net/target_guard.h"

#include "core/net/special_ranges.h"

#include <algorithm>

namespace redrive {

QString GuardRefusal::text() const
{
    return u"%1 is refused: %2. To allow it: %3"_s.arg(address, range, allowLine);
}

Result<TargetGuard> TargetGuard::make(const QStringList& entries, bool loopbackListener)
{
    TargetGuard guard;
    guard.m_allowLoopback = loopbackListener;
    QStringList problems;
    for (const QString& text : entries) {
        if (auto entry = AllowEntry::parse(text))
            guard.m_entries.append(*entry);
        else
            problems.append(entry.error().message);
    }
    if (!problems.isEmpty())
        return fail(ErrorKind::InvalidInput, problems.join(u"; "_s), {}, u"redrive.allow_private_targets"_s);
    return guard;
}

bool TargetGuard::allows(const IpAddress& address, quint16 port) const
{
    const IpAddress judged = judgedAddress(address);
    switch (rangeClassOf(address)) {
    case RangeClass::Global:
        return true;
    case RangeClass::Loopback:
        if (m_allowLoopback && !isNat64(address))
            return true;
        break;
    case RangeClass::Metadata:
        return coveredByEntry(judged, port, true);
    case RangeClass::Special:
        break;
    }
    return coveredByEntry(judged, port, false);
}

std::optional<GuardRefusal> TargetGuard::judge(const IpAddress& address, quint16 port) const
{
    if (allows(address, port))
        return std::nullopt;
    return GuardRefusal{address.toString(), rangeNameOf(address), allowLineFor(judgedAddress(address), port)};
}

bool TargetGuard::coveredByEntry(const IpAddress& judged, quint16 port, bool exactOnly) const
{
    return std::any_of(m_entries.begin(), m_entries.end(), [&](const AllowEntry& entry) {
        return entry.covers(judged, port) && (!exactOnly || entry.isExact());
    });
}

QString TargetGuard::allowLineFor(const IpAddress& judged, quint16 port) const
{
    QStringList quoted;
    for (const AllowEntry& entry : m_entries)
        quoted.append(u"\"%1\""_s.arg(entry.toString()));
    quoted.append(u"\"%1\""_s.arg(AllowEntry{judged, judged.bitCount(), port}.toString()));
    return u"allow_private_targets = [%1]"_s.arg(quoted.join(u", "_s));
}

} // namespace redrive
