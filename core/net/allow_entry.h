// One entry of `allow_private_targets`: an address or a network, and a port where only one is meant:
// "10.0.0.7", "10.0.0.0/8", "10.0.0.7/32:8443", "fd00::7/128:8443", "[fd00::7]:8443". Pure; any thread.
#pragma once

#include "core/base/result.h"
#include "core/net/ip_address.h"

#include <optional>

namespace redrive {

struct AllowEntry
{
    IpAddress network; // an IPv4-mapped or NAT64 one is kept as its IPv4 part
    int bits = 0;
    std::optional<quint16> port; // nothing: every port

    static Result<AllowEntry> parse(const QString& text);

    bool covers(const IpAddress& judged, quint16 targetPort) const;
    // One single address, written out: what a metadata address needs.
    bool isExact() const { return bits == network.bitCount(); }
    QString toString() const;
};

} // namespace redrive
