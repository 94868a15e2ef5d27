#include "core/net/allow_entry.h"

#include "core/net/special_ranges.h"

namespace redrive {

namespace {

struct EntryParts
{
    QStringView address;
    QStringView bits; // null: none given
    QStringView port; // null: none given
};

// Splits "[addr]/bits:port" without judging the parts.
EntryParts split(QStringView text)
{
    EntryParts parts;
    QStringView rest;
    if (text.startsWith(u'[')) {
        const qsizetype end = text.indexOf(u']');
        if (end < 0)
            return {text, {}, {}};
        parts.address = text.sliced(1, end - 1);
        rest = text.sliced(end + 1);
    } else {
        qsizetype end = text.indexOf(u'/');
        if (end < 0)
            end = text.count(u':') == 1 ? text.indexOf(u':') : text.size();
        parts.address = text.first(end);
        rest = text.sliced(end);
    }
    if (rest.startsWith(u'/')) {
        const qsizetype colon = rest.indexOf(u':');
        parts.bits = rest.sliced(1, (colon < 0 ? rest.size() : colon) - 1);
        rest = colon < 0 ? QStringView() : rest.sliced(colon);
    }
    if (rest.startsWith(u':'))
        parts.port = rest.sliced(1);
    else if (!rest.isEmpty())
        parts.address = text; // junk after ']': not an address
    return parts;
}

// A plain decimal number without sign, space or leading zero.
std::optional<int> number(QStringView text, int min, int max)
{
    if (text.isEmpty() || text.size() > 5 || (text.size() > 1 && text.front() == u'0'))
        return std::nullopt;
    int value = 0;
    for (const QChar c : text) {
        if (c < u'0' || c > u'9')
            return std::nullopt;
        value = value * 10 + (c.unicode() - u'0');
    }
    return value < min || value > max ? std::nullopt : std::optional(value);
}

tl::unexpected<Error> bad(const QString& entry, const QString& why)
{
    return fail(ErrorKind::InvalidInput,
                u"'%1' %2; write an address or network with an optional port, for example "
                "\"10.0.0.7/32:8443\""_s.arg(entry, why));
}

} // namespace

Result<AllowEntry> AllowEntry::parse(const QString& text)
{
    const EntryParts parts = split(text);
    const auto address = IpAddress::parse(parts.address);
    if (!address)
        return bad(text, u"is not an IP address"_s);

    AllowEntry entry{*address, address->bitCount(), {}};
    if (!parts.bits.isNull()) {
        const auto bits = number(parts.bits, 0, address->bitCount());
        if (!bits)
            return bad(text, u"has a prefix length outside 0–%1"_s.arg(address->bitCount()));
        entry.bits = *bits;
    }
    if (!parts.port.isNull()) {
        const auto port = number(parts.port, 1, 65'535);
        if (!port)
            return bad(text, u"has a port outside 1–65535"_s);
        entry.port = quint16(*port);
    }
    if (!entry.network.isNetwork(entry.bits))
        return bad(text, u"has address bits set after its prefix length"_s);

    const IpAddress judged = judgedAddress(entry.network);
    if (judged.isV6 != entry.network.isV6 && entry.bits >= 96) {
        entry.network = judged;
        entry.bits -= 96;
    }
    return entry;
}

bool AllowEntry::covers(const IpAddress& judged, quint16 targetPort) const
{
    return judged.matches(network, bits) && (!port || *port == targetPort);
}

QString AllowEntry::toString() const
{
    QString text = u"%1/%2"_s.arg(network.toString()).arg(bits);
    if (port)
        text += u":%1"_s.arg(*port);
    return text;
}

} // namespace redrive
