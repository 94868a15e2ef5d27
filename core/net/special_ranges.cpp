#include "core/net/special_ranges.h"

#include "core/base/result.h"

#include <vector>

namespace redrive {

namespace {

struct Range
{
    IpAddress network;
    int bits;
    RangeClass rangeClass;
    QString name;
};

Range range(const char16_t* network, int bits, QString name, RangeClass rangeClass = RangeClass::Special)
{
    return {*IpAddress::parse(QStringView(network)), bits, rangeClass, std::move(name)};
}

const std::vector<Range>& ranges()
{
    // Single addresses first: the first match names the range.
    static const std::vector<Range> table{
        range(u"169.254.169.254", 32, u"cloud metadata"_s, RangeClass::Metadata),
        range(u"168.63.129.16", 32, u"cloud metadata"_s, RangeClass::Metadata),
        range(u"fd00:ec2::254", 128, u"cloud metadata"_s, RangeClass::Metadata),
        range(u"255.255.255.255", 32, u"broadcast"_s),
        range(u"0.0.0.0", 8, u"this network"_s),
        range(u"10.0.0.0", 8, u"private network"_s),
        range(u"100.64.0.0", 10, u"carrier-grade NAT"_s),
        range(u"127.0.0.0", 8, u"loopback"_s, RangeClass::Loopback),
        range(u"169.254.0.0", 16, u"link-local"_s),
        range(u"172.16.0.0", 12, u"private network"_s),
        range(u"192.0.0.0", 24, u"protocol assignments"_s),
        range(u"192.0.2.0", 24, u"documentation"_s),
        range(u"192.88.99.0", 24, u"6to4 relay"_s),
        range(u"192.168.0.0", 16, u"private network"_s),
        range(u"198.18.0.0", 15, u"benchmarking"_s),
        range(u"198.51.100.0", 24, u"documentation"_s),
        range(u"203.0.113.0", 24, u"documentation"_s),
        range(u"224.0.0.0", 4, u"multicast"_s),
        range(u"240.0.0.0", 4, u"reserved"_s),
        range(u"::", 128, u"unspecified"_s),
        range(u"::1", 128, u"loopback"_s, RangeClass::Loopback),
        range(u"::", 96, u"IPv4-compatible"_s),
        range(u"::ffff:0:0:0", 96, u"IPv4-translated"_s),
        range(u"64:ff9b:1::", 48, u"local-use NAT64"_s),
        range(u"100::", 64, u"discard-only"_s),
        range(u"2001::", 23, u"protocol assignments"_s),
        range(u"2001:db8::", 32, u"documentation"_s),
        range(u"2002::", 16, u"6to4"_s),
        range(u"3fff::", 20, u"documentation"_s),
        range(u"fc00::", 7, u"unique local"_s),
        range(u"fe80::", 10, u"link-local"_s),
        range(u"fec0::", 10, u"site-local"_s),
        range(u"ff00::", 8, u"multicast"_s),
    };
    return table;
}

const Range* rangeHolding(const IpAddress& judged)
{
    for (const Range& range : ranges()) {
        if (judged.matches(range.network, range.bits))
            return &range;
    }
    return nullptr;
}

bool isOutsideGlobalUnicast(const IpAddress& judged)
{
    static const IpAddress network = *IpAddress::parse(u"2000::");
    return judged.isV6 && !judged.matches(network, 3);
}

bool isMapped(const IpAddress& address)
{
    static const IpAddress network = *IpAddress::parse(u"::ffff:0:0");
    return address.matches(network, 96);
}

} // namespace

bool isNat64(const IpAddress& address)
{
    static const IpAddress network = *IpAddress::parse(u"64:ff9b::");
    return address.matches(network, 96);
}

IpAddress judgedAddress(const IpAddress& address)
{
    return isMapped(address) || isNat64(address) ? address.lastFourBytes() : address;
}

RangeClass rangeClassOf(const IpAddress& address)
{
    const IpAddress judged = judgedAddress(address);
    if (const Range* range = rangeHolding(judged))
        return range->rangeClass;
    return isOutsideGlobalUnicast(judged) ? RangeClass::Special : RangeClass::Global;
}

QString rangeNameOf(const IpAddress& address)
{
    const IpAddress judged = judgedAddress(address);
    if (const Range* range = rangeHolding(judged))
        return u"%1 (%2/%3)"_s.arg(range->name, range->network.toString()).arg(range->bits);
    return isOutsideGlobalUnicast(judged) ? u"outside the global unicast range (2000::/3)"_s : QString();
}

} // namespace redrive
