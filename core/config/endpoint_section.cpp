#include "core/config/endpoint_section.h"

#include "core/base/result.h"
#include "core/config/endpoint_rules.h"
#include "core/config/endpoint_schedule.h"
#include "core/config/quoted.h"
#include "core/config/secret_names.h"
#include "core/config/table_reader.h"

namespace redrive {

namespace {

constexpr qint64 mostInFlight = 1'000;
constexpr double slowestRate = 0.001;
constexpr double fastestRate = 100'000;
constexpr qint64 longestScheduleSeconds = 2'592'000;
constexpr size_t longestSchedule = 100;
constexpr qsizetype longestPattern = 255;

void readSecrets(const ConfigValue& value, const Settings& settings, EndpointSettings& endpoint,
                 Diagnostics& out)
{
    if (!value.isArray()) {
        if (const auto name = readSigningSecretName(value, settings.secrets, out))
            endpoint.secrets.append(*name);
        return;
    }
    if (value.items.empty())
        out.error(value, u"is empty; leave it out, or name at least one secret"_s);
    for (const ConfigValue& item : value.items) {
        if (const auto name = readSigningSecretName(item, settings.secrets, out))
            endpoint.secrets.append(*name);
    }
}

void readHeaders(const ConfigValue& value, EndpointSettings& endpoint, Diagnostics& out)
{
    if (!expectTable(value, out))
        return;
    QStringList seen;
    for (const ConfigValue& header : value.items) {
        if (!header.isString()) {
            out.error(header, u"must be text, not "_s + header.kindName());
            continue;
        }
        if (const auto good = checkEndpointHeader(header.key, header.string); !good) {
            out.error(header, good.error().message);
            continue;
        }
        if (seen.contains(header.key.toLower())) {
            out.error(header, u"the header stands here twice; upper and lower case make no difference"_s);
            continue;
        }
        seen.append(header.key.toLower());
        endpoint.headers.insert(header.key, header.string);
    }
}

void readSchedule(const ConfigValue& value, EndpointSettings& endpoint, Diagnostics& out)
{
    if (value.isString()) {
        if (const auto named = namedSchedule(value.string))
            endpoint.scheduleMs = *named;
        else
            out.error(value, u"%1 is no schedule, allowed are \"standard\" and an array of seconds"_s.arg(
                                 quoted(value.string)));
        return;
    }
    if (!expectArray(value, u"seconds"_s, out))
        return;
    if (value.items.empty() || value.items.size() > longestSchedule) {
        out.error(value,
                  u"has %1 entries, allowed are 1 to %2"_s.arg(value.items.size()).arg(longestSchedule));
        return;
    }
    for (const ConfigValue& item : value.items) {
        if (const auto delay = readSeconds(item, 0, longestScheduleSeconds, out))
            endpoint.scheduleMs.append(*delay);
    }
}

// An exact event type, or `prefix.*`.
bool isEventPattern(const QString& pattern)
{
    const QString name = pattern.endsWith(u".*"_s) ? pattern.chopped(2) : pattern;
    return isCleanText(name) && !name.contains(u'*') && pattern.size() <= longestPattern;
}

void readEvents(const ConfigValue& value, EndpointSettings& endpoint, Diagnostics& out)
{
    const auto events = readTexts(value, out);
    if (!events)
        return;
    for (const ConfigValue& item : value.items) {
        if (isEventPattern(item.string))
            endpoint.events.append(item.string);
        else
            out.error(item, u"%1 is no event pattern, allowed are an exact event type and prefix.*"_s.arg(
                                quoted(item.string)));
    }
}

EndpointSettings readEndpoint(const ConfigValue& entry, const Settings& settings, Diagnostics& out)
{
    EndpointSettings endpoint;
    TableReader reader(entry, out);
    endpoint.id = reader.requiredName(u"id"_s).value_or(QString());
    if (const ConfigValue* url = reader.take(u"url"_s)) {
        endpoint.url = readText(*url, out).value_or(QString());
        if (const auto good = checkEndpointUrl(endpoint.url); !endpoint.url.isEmpty() && !good)
            out.error(*url, good.error().message);
    } else {
        out.missing(entry, u"url"_s, u"is missing, it is required"_s);
    }
    if (const ConfigValue* events = reader.take(u"events"_s))
        readEvents(*events, endpoint, out);
    if (const ConfigValue* secret = reader.take(u"secret"_s))
        readSecrets(*secret, settings, endpoint, out);
    if (const ConfigValue* headers = reader.take(u"headers"_s))
        readHeaders(*headers, endpoint, out);
    if (const auto inFlight = reader.integer(u"max_in_flight"_s, 1, mostInFlight))
        endpoint.maxInFlight = static_cast<int>(*inFlight);
    endpoint.ratePerSecond = reader.number(u"rate"_s, slowestRate, fastestRate);
    if (const ConfigValue* schedule = reader.take(u"schedule"_s))
        readSchedule(*schedule, endpoint, out);
    endpoint.paused = reader.boolean(u"paused"_s).value_or(false);
    endpoint.allowOverride = reader.boolean(u"allow_override"_s).value_or(false);
    reader.finish();
    return endpoint;
}

} // namespace

void readEndpoints(const ConfigValue& array, Settings& settings, Diagnostics& out)
{
    if (!expectArray(array, u"tables"_s, out))
        return;
    QMap<QString, QString> places;
    for (const ConfigValue& entry : array.items) {
        if (!expectTable(entry, out))
            continue;
        const EndpointSettings endpoint = readEndpoint(entry, settings, out);
        if (endpoint.id.isEmpty())
            continue;
        const ConfigValue& id = *entry.find(u"id"_s);
        if (places.contains(endpoint.id)) {
            out.error(id, u"the endpoint %1 stands at %2 already; an id is allowed once"_s.arg(
                              quoted(endpoint.id), places.value(endpoint.id)));
            continue;
        }
        places.insert(endpoint.id, id.place());
        settings.endpoints.append(endpoint);
    }
}

void readPrivateTargets(const ConfigValue& array, Settings& settings, Diagnostics& out)
{
    const auto texts = readTexts(array, out);
    if (!texts)
        return;
    for (const ConfigValue& item : array.items) {
        if (const auto good = checkPrivateTarget(item.string); good)
            settings.allowPrivateTargets.append(item.string);
        else
            out.error(item, good.error().message);
    }
}

} // namespace redrive
