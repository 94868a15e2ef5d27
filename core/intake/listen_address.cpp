#include "core/intake/listen_address.h"

namespace redrive {

QString ListenAddress::host() const
{
    return address.protocol() == QAbstractSocket::IPv6Protocol ? u"[%1]"_s.arg(address.toString())
                                                               : address.toString();
}

Result<ListenAddress> parseListenAddress(const QString& text)
{
    const qsizetype colon = text.lastIndexOf(u':');
    QString host = text.left(std::max<qsizetype>(colon, 0));
    const QString portText = text.mid(colon + 1);
    bool isPort = false;
    const quint16 port = portText.toUShort(&isPort);
    const bool digits =
        std::all_of(portText.begin(), portText.end(), [](QChar c) { return c >= u'0' && c <= u'9'; });
    const bool bracketed = host.startsWith(u'[') && host.endsWith(u']');
    if (bracketed)
        host = host.mid(1, host.size() - 2);
    const QHostAddress address =
        host == u"localhost"_s ? QHostAddress(QHostAddress::LocalHost) : QHostAddress(host);
    const bool isV6 = address.protocol() == QAbstractSocket::IPv6Protocol;
    if (colon < 0 || !isPort || !digits || address.isNull() || isV6 != bracketed)
        return fail(ErrorKind::InvalidInput, u"'%1' is not an address to listen on"_s.arg(text),
                    u"use host:port, for example 127.0.0.1:8787 or [::1]:8787"_s, u"listen"_s);
    if (!address.isLoopback())
        return fail(ErrorKind::Refused, u"'%1' is not a loopback address"_s.arg(text),
                    u"this version listens on loopback only"_s, u"listen"_s);
    return ListenAddress{address, port};
}

} // namespace redrive
