#include "core/deadletter/alert_target.h"

#include "core/base/result.h"
#include "core/net/target_url.h"

#include <QCryptographicHash>
#include <QUrl>

namespace redrive {

namespace {

constexpr char kPagerDuty[] = "https://events.pagerduty.com/v2/enqueue";

// The path of a webhook is its password.
QString placeOf(const QString& url)
{
    const QUrl parsed(url);
    QString place = parsed.scheme() + u"://"_s + parsed.host();
    if (parsed.port() > 0)
        place += u":%1"_s.arg(parsed.port());
    return parsed.path().size() > 1 || parsed.hasQuery() ? place + u"/\u2026"_s : place;
}

QString idOf(const AlertTarget& target)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (const QString& part : {toText(target.form), target.url, target.urlSecret, target.keySecret}) {
        hash.addData(part.toUtf8());
        hash.addData(QByteArrayView("\0", 1));
    }
    return QString::fromLatin1(hash.result().toHex().left(12));
}

PostTarget postTarget(const AlertTarget& target, const QHash<QString, QByteArray>& secrets)
{
    PostTarget post;
    post.id = idOf(target);
    post.form = target.form;
    post.url = target.url;
    if (!target.urlSecret.isEmpty()) {
        post.url = QString::fromUtf8(secrets.value(target.urlSecret)).trimmed();
        post.place = u"secret "_s + target.urlSecret;
    } else {
        if (post.url.isEmpty())
            post.url = QString::fromLatin1(kPagerDuty);
        post.place = placeOf(post.url);
    }
    if (!target.keySecret.isEmpty())
        post.key = secrets.value(target.keySecret).trimmed();
    if (post.url.isEmpty())
        post.problem = u"the secret %1 is not set"_s.arg(target.urlSecret);
    else if (!parseTargetUrl(post.url))
        post.problem = u"the secret %1 holds no http or https URL"_s.arg(target.urlSecret);
    else if (!target.keySecret.isEmpty() && post.key.isEmpty())
        post.problem = u"the secret %1 is not set"_s.arg(target.keySecret);
    return post;
}

} // namespace

QString toText(AlertForm form)
{
    switch (form) {
    case AlertForm::Slack:
        return u"slack"_s;
    case AlertForm::PagerDuty:
        return u"pagerduty"_s;
    case AlertForm::Json:
        break;
    }
    return u"json"_s;
}

AlertTargetRow PostTarget::row() const
{
    AlertTargetRow row;
    row.id = id;
    row.form = toText(form);
    row.place = place;
    row.problem = problem;
    return row;
}

QString PostTarget::masked(QString text) const
{
    const QUrl parsed(url);
    for (const QString& secret :
         {url, parsed.path(QUrl::FullyEncoded), parsed.query(QUrl::FullyEncoded), QString::fromUtf8(key)})
        if (secret.size() > 1)
            text.replace(secret, u"***"_s);
    return text;
}

QList<PostTarget> postTargets(const Settings& settings)
{
    QList<PostTarget> targets;
    for (const AlertTarget& target : settings.alerts.webhooks) {
        PostTarget post = postTarget(target, settings.secrets);
        const bool twice = std::any_of(targets.begin(), targets.end(),
                                       [&](const PostTarget& known) { return known.id == post.id; });
        if (!twice)
            targets.append(std::move(post));
    }
    return targets;
}

} // namespace redrive
