#include "core/config/smtp_url.h"

#include <QRegularExpression>
#include <QUrl>

namespace redrive {

namespace {

tl::unexpected<Error> invalid(const QString& why)
{
    return fail(ErrorKind::InvalidInput, why);
}

Result<SmtpTls> tlsOf(const QUrl& url, bool hasUser)
{
    const bool implicit = url.scheme() == u"smtps"_s;
    if (!url.hasQuery())
        return implicit || hasUser ? SmtpTls::Required : SmtpTls::WhereOffered;
    if (url.query() == u"tls=required"_s)
        return SmtpTls::Required;
    if (url.query() != u"tls=none"_s || implicit)
        return invalid(u"has something behind the ?; allowed are ?tls=required, and ?tls=none of smtp://"_s);
    if (hasUser)
        return invalid(u"would send a password in the clear: ?tls=none is for servers without a user"_s);
    return SmtpTls::Never;
}

} // namespace

Result<SmtpUrl> parseSmtpUrl(const QString& text)
{
    static const QRegularExpression ownName(u"\\A/?[A-Za-z0-9.-]*\\z"_s);
    QUrl url(text, QUrl::StrictMode);
    const bool good = url.isValid() && !url.host().isEmpty() && !url.hasFragment() && url.port() != 0 &&
                      (url.scheme() == u"smtp"_s || url.scheme() == u"smtps"_s) &&
                      ownName.match(url.path()).hasMatch();
    if (!good)
        return invalid(u"is no mail server, allowed are smtp://HOST:PORT and smtps://HOST:PORT"_s);
    SmtpUrl smtp;
    smtp.user = url.userName(QUrl::FullyDecoded);
    smtp.password = url.password(QUrl::FullyDecoded).toUtf8();
    REDRIVE_ASSIGN(tls, tlsOf(url, !smtp.user.isEmpty()));
    smtp.tls = tls;
    url.setUserInfo({});
    url.setQuery(QString());
    smtp.url = url.toString(QUrl::FullyEncoded);
    return smtp;
}

} // namespace redrive
