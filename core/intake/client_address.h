// Where a connection comes from, as far as limits are counted by it. Value, any thread.
#pragma once

#include <QtGlobal>

#include <functional>

struct sockaddr;

namespace redrive {

struct ClientAddress
{
    quint64 high = 0; // an IPv6 address; an IPv4 one as ::ffff:a.b.c.d
    quint64 low = 0;  // 0 for IPv6: whoever has one address has its whole /64
    bool loopback = false;

    bool operator==(const ClientAddress&) const = default;

    // Of the other end of a connected socket; loopback where the system does not tell.
    static ClientAddress ofPeer(int socket);
    static ClientAddress from(const sockaddr* address);
};

} // namespace redrive

template <>
struct std::hash<redrive::ClientAddress>
{
    size_t operator()(const redrive::ClientAddress& address) const
    {
        return std::hash<quint64>()(address.high * 0x9e3779b97f4a7c15ULL ^ address.low);
    }
};
