#include "core/deadletter/alert_form.h"

#include "core/base/log.h"
#include "core/base/result.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSysInfo>

namespace redrive {

namespace {

constexpr qsizetype kSlackCharacters = 3'000;
constexpr qsizetype kSummaryCharacters = 1'000; // PagerDuty takes 1,024
constexpr qsizetype kExampleCharacters = 300;
constexpr int kConnectMs = 5'000;
constexpr int kFirstByteMs = 10'000;
constexpr int kTotalMs = 15'000;

QString cut(const QString& text, qsizetype most)
{
    return text.size() <= most ? text : text.left(most - 1) + u'\u2026';
}

QString isoTime(qint64 ms)
{
    return QDateTime::fromMSecsSinceEpoch(ms, Qt::UTC).toString(Qt::ISODateWithMs);
}

QString named(const AlertSource& source, const QString& text)
{
    return source.environment.isEmpty() ? text : u"[%1] %2"_s.arg(source.environment, text);
}

QString summaryOf(const Alert& alert, const AlertSource& source)
{
    const QString test = alert.no == 0 ? u"Test: "_s : QString();
    return cut(escapedControls(named(source, test + alertSummary(alert))), kSummaryCharacters);
}

QJsonArray examplesOf(const Alert& alert)
{
    QJsonArray list;
    for (const AlertExample& example : alert.examples) {
        QJsonObject each{{u"kind"_s, example.kind}, {u"id"_s, example.id}};
        for (const auto& [name, value] :
             {std::pair(u"type"_s, example.type), std::pair(u"queue"_s, example.queue),
              std::pair(u"endpoint"_s, example.endpoint), std::pair(u"error"_s, example.error)})
            if (!value.isEmpty())
                each.insert(name, cut(value, kExampleCharacters));
        list.append(each);
    }
    return list;
}

QJsonObject jsonOf(const Alert& alert, const AlertSource& source)
{
    return {{u"source"_s, u"redrive"_s},
            {u"host"_s, source.host},
            {u"environment"_s, source.environment},
            {u"alert"_s, alert.no},
            {u"test"_s, alert.no == 0},
            {u"kind"_s, toText(alert.kind)},
            {u"group"_s, alert.signature},
            {u"digest"_s, alert.isDigest},
            {u"summary"_s, summaryOf(alert, source)},
            {u"title"_s, alert.title},
            {u"count"_s, alert.count},
            {u"firstAt"_s, alert.firstAtMs},
            {u"lastAt"_s, alert.lastAtMs},
            {u"examples"_s, examplesOf(alert)}};
}

QString slackText(const Alert& alert, const AlertSource& source)
{
    QString text = slackEscaped(summaryOf(alert, source)) + u'\n' + isoTime(alert.firstAtMs);
    if (alert.lastAtMs > alert.firstAtMs)
        text += u" \u2013 "_s + isoTime(alert.lastAtMs);
    for (const AlertExample& example : alert.examples) {
        const QString place = example.endpoint.isEmpty() ? example.queue : example.endpoint;
        QStringList words{example.kind, example.id, example.type, place};
        words.removeAll(QString());
        const QString line = words.join(u' ') + u": "_s + example.error;
        text += u"\n\u2022 "_s + slackEscaped(cut(escapedControls(line), kExampleCharacters));
    }
    return cut(text, kSlackCharacters);
}

QJsonObject pagerDutyEvent(const PostTarget& target, const Alert& alert, const AlertSource& source)
{
    const bool warns = alert.kind == AlertKind::BreakerOpen || alert.no == 0;
    QJsonObject details = jsonOf(alert, source);
    details.remove(u"summary"_s);
    return {{u"routing_key"_s, QString::fromUtf8(target.key)},
            {u"event_action"_s, u"trigger"_s},
            {u"dedup_key"_s, u"redrive-"_s + (alert.no == 0 ? u"test"_s : alert.signature)},
            {u"payload"_s, QJsonObject{{u"summary"_s, summaryOf(alert, source)},
                                       {u"source"_s, source.host},
                                       {u"severity"_s, warns ? u"warning"_s : u"error"_s},
                                       {u"timestamp"_s, isoTime(alert.lastAtMs)},
                                       {u"component"_s, u"redrive"_s},
                                       {u"class"_s, toText(alert.kind)},
                                       {u"custom_details"_s, details}}}};
}

} // namespace

AlertSource alertSource(const Settings& settings)
{
    const QString host = QSysInfo::machineHostName();
    return {host.isEmpty() ? u"redrive"_s : host, settings.environment}; // PagerDuty takes no empty one
}

QString slackEscaped(const QString& text)
{
    QString escaped = text;
    return escaped.replace(u'&', u"&amp;"_s).replace(u'<', u"&lt;"_s).replace(u'>', u"&gt;"_s);
}

QByteArray alertBody(const PostTarget& target, const Alert& alert, const AlertSource& source)
{
    QJsonObject body;
    switch (target.form) {
    case AlertForm::Slack:
        body = {{u"text"_s, slackText(alert, source)}};
        break;
    case AlertForm::PagerDuty:
        body = pagerDutyEvent(target, alert, source);
        break;
    case AlertForm::Json:
        body = jsonOf(alert, source);
        break;
    }
    return QJsonDocument(body).toJson(QJsonDocument::Compact);
}

HttpRequest alertRequest(const PostTarget& target, const Alert& alert, const AlertSource& source)
{
    HttpRequest request;
    request.url = target.url;
    request.headers = {{"Content-Type", "application/json"}, {"User-Agent", "Redrive/" REDRIVE_VERSION}};
    if (target.form == AlertForm::Json && !target.key.isEmpty())
        request.headers.append({"Authorization", "Bearer " + target.key});
    request.body = std::make_shared<const QByteArray>(alertBody(target, alert, source));
    request.connectTimeoutMs = kConnectMs;
    request.firstByteTimeoutMs = kFirstByteMs;
    request.totalTimeoutMs = kTotalMs;
    return request;
}

} // namespace redrive
