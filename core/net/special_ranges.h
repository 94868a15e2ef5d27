// The address ranges that a webhook must not reach by accident. Pure; any thread.
// Source: IANA special-purpose address registries (RFC 6890 and successors) and the metadata addresses of the
// large clouds.
#pragma once

#include "core/net/ip_address.h"

namespace redrive {

enum class RangeClass {
    Global,   // the public internet
    Loopback, // this machine
    Metadata, // serves a cloud machine its own credentials
    Special,  // private, link-local, documentation, multicast, reserved …
};

// ::ffff:0:0/96 and 64:ff9b::/96 are classed by the IPv4 address inside (see judgedAddress()).
RangeClass rangeClassOf(const IpAddress& address);

// "private network (10.0.0.0/8)"; empty for a global address.
QString rangeNameOf(const IpAddress& address);

// The IPv4 address inside a mapped or NAT64 address, else the address itself.
IpAddress judgedAddress(const IpAddress& address);

// In 64:ff9b::/96: a gateway would translate it, so a loopback inside is the gateway's, not ours.
bool isNat64(const IpAddress& address);

} // namespace redrive
