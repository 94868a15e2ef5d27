#include "core/net/network_presence.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

namespace redrive {

namespace {

bool reachesBeyondItsLink(const sockaddr* address)
{
    if (!address)
        return false;
    if (address->sa_family == AF_INET) {
        const auto host = ntohl(reinterpret_cast<const sockaddr_in*>(address)->sin_addr.s_addr);
        return (host >> 16) != 0xa9fe; // 169.254.0.0/16
    }
    return address->sa_family == AF_INET6 &&
           !IN6_IS_ADDR_LINKLOCAL(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
}

} // namespace

bool isCutOff()
{
    ifaddrs* list = nullptr;
    if (getifaddrs(&list) != 0)
        return false;
    bool found = false;
    for (const ifaddrs* one = list; one && !found; one = one->ifa_next)
        found = (one->ifa_flags & (IFF_UP | IFF_RUNNING | IFF_LOOPBACK)) == (IFF_UP | IFF_RUNNING) &&
                reachesBeyondItsLink(one->ifa_addr);
    freeifaddrs(list);
    return !found;
}

} // namespace redrive
