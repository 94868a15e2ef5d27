#include "core/net/target_url.h"

#include <QUrl>

namespace redrive {

namespace {

constexpr qsizetype maxUrlLength = 8'192;

bool hasUnsafeCharacter(QStringView text)
{
    for (const QChar c : text) {
        if (c.unicode() <= 0x20 || c.unicode() == 0x7f || c == u'\\')
            return true;
    }
    return false;
}

bool isPlainHost(const QByteArray& host)
{
    for (const char c : host) {
        const bool plain =
            (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_' || c == ':';
        if (!plain)
            return false;
    }
    return !host.isEmpty();
}

} // namespace

Result<TargetUrl> parseTargetUrl(const QString& text)
{
    const auto bad = [](QString why) { return fail(ErrorKind::InvalidInput, std::move(why)); };
    if (text.size() > maxUrlLength)
        return bad(u"the URL is longer than %1 characters"_s.arg(maxUrlLength));
    if (hasUnsafeCharacter(text))
        return bad(u"the URL holds spaces, control characters or backslashes"_s);

    const QUrl url(text, QUrl::StrictMode);
    if (!url.isValid())
        return fail(ErrorKind::InvalidInput, u"this is not a URL"_s, url.errorString());
    const QString scheme = url.scheme();
    if (scheme != u"http" && scheme != u"https")
        return bad(u"only http and https URLs are allowed"_s);
    if (!url.userInfo().isEmpty() || url.authority().contains(u'@'))
        return bad(u"user name and password are not allowed in a URL"_s);

    TargetUrl target;
    target.isTls = scheme == u"https";
    target.host = url.host(QUrl::FullyEncoded).toLatin1().toLower();
    if (!isPlainHost(target.host))
        return bad(u"the URL has no usable host name"_s);
    const int port = url.port(target.isTls ? 443 : 80);
    if (port < 1)
        return bad(u"the URL's port is outside 1–65535"_s);
    target.port = quint16(port);
    target.address = IpAddress::parse(QString::fromLatin1(target.host));
    if (!target.address && target.host.contains(':'))
        return bad(u"the URL has no usable host name"_s);
    target.encoded = url.toEncoded(QUrl::RemoveFragment | QUrl::FullyEncoded);
    return target;
}

} // namespace redrive
