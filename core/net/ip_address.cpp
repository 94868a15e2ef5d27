#include "core/net/ip_address.h"

#include <arpa/inet.h>
#include <cstring>
#include <netinet/in.h>

namespace redrive {

std::optional<IpAddress> IpAddress::parse(QStringView text)
{
    const QByteArray raw = text.toUtf8();
    if (raw.contains('\0'))
        return std::nullopt;
    IpAddress address;
    if (inet_pton(AF_INET, raw.constData(), address.bytes.data()) == 1)
        return address;
    address.isV6 = true;
    if (inet_pton(AF_INET6, raw.constData(), address.bytes.data()) == 1)
        return address;
    return std::nullopt;
}

std::optional<IpAddress> IpAddress::fromSockaddr(const sockaddr* address)
{
    IpAddress result;
    if (address->sa_family == AF_INET) {
        sockaddr_in in{};
        std::memcpy(&in, address, sizeof in);
        std::memcpy(result.bytes.data(), &in.sin_addr, 4);
        return result;
    }
    if (address->sa_family == AF_INET6) {
        sockaddr_in6 in{};
        std::memcpy(&in, address, sizeof in);
        result.isV6 = true;
        std::memcpy(result.bytes.data(), &in.sin6_addr, 16);
        return result;
    }
    return std::nullopt;
}

bool IpAddress::matches(const IpAddress& network, int bits) const
{
    if (isV6 != network.isV6)
        return false;
    const auto whole = size_t(bits / 8);
    if (!std::equal(bytes.begin(), bytes.begin() + whole, network.bytes.begin()))
        return false;
    const int rest = bits % 8;
    return rest == 0 || ((bytes[whole] ^ network.bytes[whole]) >> (8 - rest)) == 0;
}

bool IpAddress::isNetwork(int bits) const
{
    for (int bit = bits; bit < bitCount(); ++bit) {
        if (bytes[size_t(bit / 8)] & (0x80 >> (bit % 8)))
            return false;
    }
    return true;
}

QString IpAddress::toString() const
{
    char text[INET6_ADDRSTRLEN] = {};
    inet_ntop(isV6 ? AF_INET6 : AF_INET, bytes.data(), text, sizeof text);
    return QString::fromLatin1(text);
}

} // namespace redrive
