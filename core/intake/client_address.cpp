#include "core/intake/client_address.h"

#include <cstring>
#include <netinet/in.h>
#include <sys/socket.h>

#include <QtEndian>

namespace redrive {

namespace {

constexpr quint64 kMappedPrefix = 0xffffULL << 32;

ClientAddress ofIpv4(quint32 address)
{
    return {0, kMappedPrefix | address, (address >> 24) == 127};
}

} // namespace

ClientAddress ClientAddress::from(const sockaddr* address)
{
    if (address->sa_family == AF_INET) {
        sockaddr_in ipv4{};
        std::memcpy(&ipv4, address, sizeof ipv4);
        return ofIpv4(ntohl(ipv4.sin_addr.s_addr));
    }
    if (address->sa_family != AF_INET6)
        return {0, 0, true};
    sockaddr_in6 ipv6{};
    std::memcpy(&ipv6, address, sizeof ipv6);
    const auto high = qFromBigEndian<quint64>(ipv6.sin6_addr.s6_addr);
    const auto low = qFromBigEndian<quint64>(ipv6.sin6_addr.s6_addr + 8);
    if (high == 0 && (low & ~quint64(0xffffffff)) == kMappedPrefix)
        return ofIpv4(quint32(low));
    if (high == 0 && low == 1)
        return {0, 1, true};
    return {high, 0, false};
}

ClientAddress ClientAddress::ofPeer(int socket)
{
    sockaddr_storage peer{};
    socklen_t size = sizeof peer;
    const auto address = reinterpret_cast<sockaddr*>(&peer);
    return ::getpeername(socket, address, &size) == 0 ? from(address) : ClientAddress{0, 0, true};
}

} // namespace redrive
