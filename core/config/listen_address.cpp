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
    const auto refuse = [&](const QString& why) {
        return fail(
            ErrorKind::InvalidInput,
            u"%1 %2; allowed are ADDRESS:PORT, [ADDRESS]:PORT and localhost:PORT"_s.arg(quoted(text), why));
    };
    const auto colon = text.lastIndexOf(u':');
    const auto port = colon < 0 ? std::nullopt : parsePort(text.mid(colon + 1));
    if (!port)
        return refuse(u"does not end in :PORT (0 to 65535)"_s);

    QString host = text.left(colon);
    const bool bracketed = host.startsWith(u'[') && host.endsWith(u']');
    if (bracketed)
        host = host.mid(1, host.size() - 2);
    if (host.compare(u"localhost"_s, Qt::CaseInsensitive) == 0)
        return ListenAddress{QHostAddress(QHostAddress::LocalHost), *port};

    if (host.isEmpty() || host == u"*"_s)
        return refuse(u"names no address (every address is 0.0.0.0 or [::])"_s);
    QHostAddress address;
    if (!address.setAddress(host) || (address.protocol() == QAbstractSocket::IPv6Protocol) != bracketed)
        return refuse(u"is no address and port"_s);
    return ListenAddress{address, *port};
}

Status checkPlainListen(const QString& text, const ListenAddress& address)
{
    if (address.host.isLoopback())
        return {};
    return fail(ErrorKind::Refused,
                u"%1 is not a loopback address, and HTTP without TLS is served there with insecure_listen = "
                "true only; listen_tls serves it with TLS and tokens"_s.arg(quoted(text)),
                {}, u"listen"_s);
}

} // namespace redrive
