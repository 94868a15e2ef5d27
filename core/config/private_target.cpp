#include "core/config/endpoint_rules.h"

#include "core/config/quoted.h"

#include <QRegularExpression>

#include <arpa/inet.h>

#include <array>
#include <optional>

namespace redrive {

namespace {

struct Address
{
    std::array<uchar, 16> bytes{};
    int bits = 0;
};

// Strict, as the system reads addresses: no short, octal or hexadecimal forms of IPv4.
std::optional<Address> parseAddress(const QString& text)
{
    const QByteArray ascii = text.toLatin1();
    Address address;
    if (inet_pton(AF_INET, ascii.constData(), address.bytes.data()) == 1) {
        address.bits = 32;
        return address;
    }
    if (inet_pton(AF_INET6, ascii.constData(), address.bytes.data()) == 1) {
        address.bits = 128;
        return address;
    }
    return {};
}

bool hasBitsBehind(const Address& address, int prefix)
{
    for (int bit = prefix; bit < address.bits; ++bit) {
        if (address.bytes[static_cast<size_t>(bit / 8)] & (0x80 >> (bit % 8)))
            return true;
    }
    return false;
}

} // namespace

Status checkPrivateTarget(const QString& text)
{
    const auto refuse = [&](const QString& why) {
        return fail(ErrorKind::InvalidInput,
                    u"%1 %2; allowed are an address or a network and a port if only one is meant, as in "
                    "10.0.0.7/32:8443"_s.arg(quoted(text), why));
    };
    static const QString behind = u"(?:/(?<prefix>0|[1-9]\\d{0,2}))?(?::(?<port>[1-9]\\d{0,4}))?\\z"_s;
    static const QRegularExpression bracketed(u"\\A\\[(?<address>[^\\[\\]/]*)\\]"_s + behind);
    static const QRegularExpression network(
        u"\\A(?<address>[0-9A-Fa-f:.]+)/(?<prefix>0|[1-9]\\d{0,2})(?::(?<port>[1-9]\\d{0,4}))?\\z"_s);
    static const QRegularExpression withPort(u"\\A(?<address>[0-9.]+):(?<port>[1-9]\\d{0,4})\\z"_s);
    static const QRegularExpression alone(u"\\A(?<address>[0-9A-Fa-f:.]+)\\z"_s);

    for (const QRegularExpression* form : {&bracketed, &network, &withPort, &alone}) {
        const auto match = form->match(text);
        if (!match.hasMatch())
            continue;
        const auto address = parseAddress(match.captured(u"address"_s));
        if (!address)
            return refuse(u"is no IP address"_s);
        const QString prefixText = match.captured(u"prefix"_s);
        const int prefix = prefixText.isEmpty() ? address->bits : prefixText.toInt();
        if (prefix > address->bits)
            return refuse(u"has a prefix over %1"_s.arg(address->bits));
        if (match.captured(u"port"_s).toInt() > 65'535)
            return refuse(u"has a port over 65535"_s);
        if (hasBitsBehind(*address, prefix))
            return refuse(u"has address bits set behind its prefix"_s);
        return {};
    }
    return refuse(u"is no target"_s);
}

} // namespace redrive
