#include "core/config/endpoint_rules.h"

#include "core/config/quoted.h"

#include <QUrl>

#include <algorithm>
#include <string_view>

namespace redrive {

namespace {

constexpr qsizetype longestUrl = 8'192;
constexpr qsizetype shortestKeyBytes = 16;
constexpr qsizetype longestKeyBytes = 64;

bool isTokenCharacter(QChar c)
{
    constexpr std::u16string_view symbols = u"!#$%&'*+-.^_`|~";
    return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || (c >= u'0' && c <= u'9') ||
           symbols.find(c.unicode()) != std::u16string_view::npos;
}

bool isReserved(const QString& name)
{
    static const QStringList reserved{
        u"connection"_s,
        u"content-length"_s,
        u"content-type"_s,
        u"expect"_s,
        u"host"_s,
        u"keep-alive"_s,
        u"te"_s,
        u"proxy-authorization"_s,
        u"trailer"_s,
        u"proxy-connection"_s,
        u"transfer-encoding"_s,
        u"upgrade"_s,
    };
    const QString lower = name.toLower();
    return lower.startsWith(u"webhook-"_s) || reserved.contains(lower);
}

bool isPlainHost(const QString& host)
{
    return !host.isEmpty() && std::all_of(host.begin(), host.end(), [](QChar c) {
        return (c >= u'a' && c <= u'z') || (c >= u'0' && c <= u'9') || QStringView(u".-_:").contains(c);
    });
}

} // namespace

Status checkEndpointUrl(const QString& text)
{
    const auto refuse = [](const QString& why) {
        return fail(ErrorKind::InvalidInput,
                    why + u"; allowed are http:// and https:// addresses without user name and password"_s);
    };
    const bool unsafe = std::any_of(text.begin(), text.end(),
                                    [](QChar c) { return c <= u' ' || c == QChar(0x7F) || c == u'\\'; });
    if (unsafe)
        return refuse(u"holds spaces, control characters or backslashes"_s);
    const QUrl url(text, QUrl::StrictMode);
    if (text.size() > longestUrl || !url.isValid())
        return refuse(u"is no URL"_s);
    if (url.scheme() != u"http" && url.scheme() != u"https")
        return refuse(u"is not http or https"_s);
    if (!url.userInfo().isEmpty() || url.authority().contains(u'@'))
        return refuse(u"holds user information"_s);
    if (!isPlainHost(url.host(QUrl::FullyEncoded).toLower()))
        return refuse(u"has no usable host name"_s);
    if (url.port(1) < 1)
        return refuse(u"has a port outside 1 to 65535"_s);
    return {};
}

Status checkEndpointHeader(const QString& name, const QString& value)
{
    if (name.isEmpty() || !std::all_of(name.begin(), name.end(), isTokenCharacter))
        return fail(ErrorKind::InvalidInput, u"%1 is no name of an HTTP header"_s.arg(quoted(name)));
    const bool forbidden = std::any_of(value.begin(), value.end(),
                                       [](QChar c) { return (c < u' ' && c != u'\t') || c == QChar(0x7F); });
    if (forbidden) {
        return fail(ErrorKind::InvalidInput,
                    u"the value holds a line break or another control character, one line is allowed"_s);
    }
    if (isReserved(name)) {
        return fail(ErrorKind::InvalidInput,
                    u"%1 is reserved; webhook-*, Content-Type, Host, Content-Length and the headers of the "
                    "connection are set by Redrive"_s.arg(quoted(name)));
    }
    return {};
}

Result<qsizetype> checkSigningSecret(const QByteArray& secret)
{
    const QString allowed =
        u"whsec_ and the base64 of %1 to %2 bytes"_s.arg(shortestKeyBytes).arg(longestKeyBytes);
    const QByteArray text = secret.trimmed();
    if (!text.startsWith("whsec_"))
        return fail(ErrorKind::InvalidInput, u"it does not begin with whsec_; allowed is "_s + allowed);
    const auto key = QByteArray::fromBase64Encoding(text.mid(6), QByteArray::AbortOnBase64DecodingErrors);
    if (!key)
        return fail(ErrorKind::InvalidInput, u"what follows whsec_ is not base64; allowed is "_s + allowed);
    const qsizetype size = key.decoded.size();
    if (size < shortestKeyBytes || size > longestKeyBytes)
        return fail(ErrorKind::InvalidInput, u"it holds %1 bytes; allowed is %2"_s.arg(size).arg(allowed));
    return size;
}

} // namespace redrive
