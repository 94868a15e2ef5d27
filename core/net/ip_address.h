// One IPv4 or IPv6 address. Text is read strictly (inet_pton): no octal, hexadecimal or shortened forms, no
// zone. Any thread.
#pragma once

#include <QString>

#include <array>
#include <optional>

struct sockaddr;

namespace redrive {

struct IpAddress
{
    bool isV6 = false;
    std::array<quint8, 16> bytes{}; // network order; IPv4 uses the first four

    static std::optional<IpAddress> parse(QStringView text);
    static std::optional<IpAddress> fromSockaddr(const sockaddr* address);
    static IpAddress v4(quint8 a, quint8 b, quint8 c, quint8 d) { return {false, {a, b, c, d}}; }

    int bitCount() const { return isV6 ? 128 : 32; }
    // Same family and the first `bits` bits equal.
    bool matches(const IpAddress& network, int bits) const;
    // All bits after the first `bits` are zero.
    bool isNetwork(int bits) const;
    // The IPv4 address inside an address whose last four bytes hold one.
    IpAddress lastFourBytes() const { return v4(bytes[12], bytes[13], bytes[14], bytes[15]); }
    QString toString() const;

    bool operator==(const IpAddress&) const = default;
};

} // namespace redrive
