#include "core/config/alert_section.h"

#include "core/base/result.h"
#include "core/config/endpoint_rules.h"
#include "core/config/quoted.h"
#include "core/config/secret_names.h"
#include "core/config/table_reader.h"

namespace redrive {

namespace {

constexpr qint64 shortestWindowSeconds = 10;
constexpr qint64 longestWindowSeconds = 86'400;
constexpr size_t mostTargets = 20;

AlertForm readForm(const ConfigValue* value, Diagnostics& out)
{
    const auto text = value ? readText(*value, out) : std::nullopt;
    if (text == u"slack"_s)
        return AlertForm::Slack;
    if (text == u"pagerduty"_s)
        return AlertForm::PagerDuty;
    if (text && *text != u"json"_s)
        out.error(*value,
                  u"%1 is no form, allowed are \"slack\", \"pagerduty\" and \"json\""_s.arg(quoted(*text)));
    return AlertForm::Json;
}

void readSecret(TableReader& reader, const QString& key, QString& target, const Settings& settings,
                Diagnostics& out)
{
    if (const ConfigValue* value = reader.take(key))
        target = readSecretName(*value, settings.secrets, out).value_or(QString());
}

void checkAddress(const ConfigValue& entry, const AlertTarget& target, Diagnostics& out)
{
    const ConfigValue* url = entry.find(u"url"_s);
    const ConfigValue* secret = entry.find(u"url_secret"_s);
    if (url && secret)
        out.error(*secret, u"url stands there too, only one of them may"_s);
    else if (!url && !secret && target.form != AlertForm::PagerDuty)
        out.missing(entry, u"url"_s,
                    u"is missing; it, or url_secret with the name of a secret, is required"_s);
    else if (url && !target.url.isEmpty())
        if (const auto good = checkEndpointUrl(target.url); !good)
            out.error(*url, good.error().message);
}

AlertTarget readTarget(const ConfigValue& entry, const Settings& settings, Diagnostics& out)
{
    AlertTarget target;
    TableReader reader(entry, out);
    target.form = readForm(reader.take(u"form"_s), out);
    target.url = reader.text(u"url"_s).value_or(QString());
    readSecret(reader, u"url_secret"_s, target.urlSecret, settings, out);
    readSecret(reader, u"key"_s, target.keySecret, settings, out);
    reader.finish();
    checkAddress(entry, target, out);
    const ConfigValue* key = entry.find(u"key"_s);
    if (target.form == AlertForm::PagerDuty && !key)
        out.missing(entry, u"key"_s,
                    u"is missing; PagerDuty needs the name of the secret with its routing key"_s);
    if (target.form == AlertForm::Slack && key)
        out.warningAtKey(*key, u"is not used: what a Slack webhook needs is in its URL"_s);
    return target;
}

} // namespace

void readAlerts(const ConfigValue& table, Settings& settings, Diagnostics& out)
{
    TableReader reader(table, out);
    if (const auto window = reader.seconds(u"window"_s, shortestWindowSeconds, longestWindowSeconds))
        settings.alerts.windowMs = *window;
    const ConfigValue* webhooks = reader.take(u"webhooks"_s);
    reader.finish();
    if (!webhooks || !expectArray(*webhooks, u"tables"_s, out))
        return;
    if (webhooks->items.size() > mostTargets)
        out.error(*webhooks,
                  u"has %1 entries, allowed are %2"_s.arg(webhooks->items.size()).arg(mostTargets));
    for (const ConfigValue& entry : webhooks->items)
        if (expectTable(entry, out))
            settings.alerts.webhooks.append(readTarget(entry, settings, out));
}

} // namespace redrive
