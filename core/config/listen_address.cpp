#include "core/config/listen_address.h"

#include "core/config/quoted.h"

#include <algorithm>

namespace redrive {

namespace {

constexpr qsizetype longestPort = 5;

std::optional<quint16> parsePort(const QString& text)
{
    const bool digits = !text.isEmpty() && text.size() <= longestPort &&
                        std::all_of(text.begin(), text.end(), [](QChar c) { return c >= u'0' && c <= u'9'; });
    bool fits = false;
    const quint16 port = digits ? text.toUShort(&fits) : 0;
    if (!fits)
        return {};
    return port;
}

} // namespace

Result<ListenAddress> parseListenAddress(const QString& text)
{
    const auto refuse = [&](ErrorKind kind, const QString& why) {
        return fail(kind, u"%1 %2; allowed are 127.0.0.1:PORT, [::1]:PORT and localhost:PORT"_s.arg(
                              quoted(text), why));
    };
    const auto colon = text.lastIndexOf(u':');
    const auto port = colon < 0 ? std::nullopt : parsePort(text.mid(colon + 1));
    if (!port)
        return refuse(ErrorKind::InvalidInput, u"does not end in :PORT (0 to 65535)"_s);

    QString host = text.left(colon);
    const bool bracketed = host.startsWith(u'[') && host.endsWith(u']');
    if (bracketed)
        host = host.mid(1, host.size() - 2);
    if (host.compare(u"localhost"_s, Qt::CaseInsensitive) == 0)
        return ListenAddress{QHostAddress(QHostAddress::LocalHost), *port};

    if (host.isEmpty() || host == u"*"_s)
        return refuse(ErrorKind::Refused, u"means every address, and only loopback is served"_s);
    QHostAddress address;
    if (!address.setAddress(host) || (address.protocol() == QAbstractSocket::IPv6Protocol) != bracketed)
        return refuse(ErrorKind::InvalidInput, u"is no address and port"_s);
    if (!address.isLoopback())
        return refuse(ErrorKind::Refused, u"is not a loopback address, and only loopback is served"_s);
    return ListenAddress{address, *port};
}

} // namespace redrive
