#include "core/webhooks/fan_out_request.h"

#include "core/base/json_gate.h"
#include "core/domain/reason.h"
#include "core/webhooks/endpoint_reader.h"
#include "core/webhooks/event_filter.h"

#include <QSet>
#include <QUrl>

#include <algorithm>

namespace redrive {

namespace {

constexpr int kMaxTypeLength = 200;

bool sameTarget(const QString& left, const QString& right)
{
    const auto parts = [](const QString& text) {
        QUrl url(text, QUrl::StrictMode);
        if (url.path().isEmpty())
            url.setPath(u"/"_s);
        url.setPort(url.port(url.scheme() == u"https" ? 443 : 80));
        return url.toEncoded(QUrl::RemoveFragment | QUrl::FullyEncoded);
    };
    return left == right || parts(left) == parts(right);
}

bool saysMoreThanItsUrl(const JsonSlice& object)
{
    for (JsonMembers members(object); members.next();) {
        if (!members.keyIs("id") && !members.keyIs("url"))
            return true;
    }
    return false;
}

FanOutTarget registeredTarget(const EndpointSettings& endpoint)
{
    return {endpoint.id, endpoint.url, std::nullopt, endpoint.scheduleMs.size(),
            endpoint.paused ? QString(reason::kEndpointPaused) : QString()};
}

Result<FanOutTarget> targetOfPayload(const JsonSlice& object, const EndpointSettings& given,
                                     const QString& where, const EndpointSettings* registered)
{
    if (registered) {
        FanOutTarget target = registeredTarget(*registered);
        if (!given.url.isEmpty() && !sameTarget(given.url, registered->url)) {
            if (!registered->allowOverride)
                return fail(
                    ErrorKind::InvalidInput,
                    u"%1.url: '%2' is registered with another URL and does not allow an override"_s.arg(
                        where, registered->id));
            target.url = given.url;
            target.settings = object.bytes();
        }
        return target;
    }
    if (given.url.isEmpty())
        return fail(ErrorKind::InvalidInput,
                    u"%1.url: is missing, and '%2' is not registered"_s.arg(where, given.id));
    return FanOutTarget{given.id, given.url, saysMoreThanItsUrl(object) ? object.bytes() : QByteArray("{}"),
                        given.scheduleMs.size(), given.paused ? QString(reason::kHeldByPayload) : QString()};
}

Status readTargets(FanOutRequest& request, const JsonSlice& endpoints, const EndpointRegistry& registry)
{
    if (!endpoints.isArray())
        return fail(ErrorKind::InvalidInput, u"endpoints: must be a list"_s);
    QSet<QString> seen;
    for (JsonElements items(endpoints); items.next();) {
        const QString where = u"endpoints[%1]"_s.arg(items.index());
        REDRIVE_ASSIGN(given, readEndpoint(items.value(), where, registry.defaults()));
        if (seen.contains(given.id))
            return fail(ErrorKind::InvalidInput, u"%1.id: '%2' stands twice"_s.arg(where, given.id));
        seen.insert(given.id);
        const auto registered = registry.find(given.id);
        REDRIVE_ASSIGN(target, targetOfPayload(items.value(), given, where,
                                               registered ? &registered->settings : nullptr));
        const EndpointSettings& effective = registered ? registered->settings : given;
        if (wantsEvent(effective.events, request.eventType))
            request.targets.push_back(std::move(target));
        else
            ++request.notSubscribed;
    }
    return {};
}

bool isPlainType(const QString& type)
{
    const auto isControl = [](QChar c) { return c.category() == QChar::Other_Control; };
    return !type.isEmpty() && type.size() <= kMaxTypeLength &&
           std::none_of(type.begin(), type.end(), isControl);
}

} // namespace

Result<FanOutRequest> readFanOut(const QByteArray& payload, const EndpointRegistry& registry)
{
    if (const auto fault = checkJson(payload))
        return fail(ErrorKind::InvalidInput, fault->text());
    const JsonSlice root(payload);
    if (!root.isObject())
        return fail(ErrorKind::InvalidInput, u"the payload must be an object"_s);

    FanOutRequest request;
    const JsonSlice type = root.member("eventType");
    request.eventType = type.toText().value_or(QString());
    if (!isPlainType(request.eventType))
        return fail(ErrorKind::InvalidInput,
                    u"eventType: must be a text of 1–%1 characters"_s.arg(kMaxTypeLength));
    request.eventTypeText = type.text();
    const JsonSlice data = root.member("eventData");
    request.dataText = data.exists() ? data.text() : QByteArrayView("null");

    if (const JsonSlice endpoints = root.member("endpoints"); endpoints.exists()) {
        REDRIVE_TRY(readTargets(request, endpoints, registry));
        return request;
    }
    for (const auto& endpoint : registry.all()) {
        if (wantsEvent(endpoint->settings.events, request.eventType))
            request.targets.push_back(registeredTarget(endpoint->settings));
        else
            ++request.notSubscribed;
    }
    return request;
}

QByteArray eventBody(const FanOutRequest& request, qint64 timestampMs)
{
    QByteArray body;
    body.reserve(request.eventTypeText.size() + request.dataText.size() + 64);
    body.append(R"({"event":)").append(request.eventTypeText).append(R"(,"data":)").append(request.dataText);
    body.append(R"(,"timestamp":)").append(QByteArray::number(timestampMs)).append('}');
    return body;
}

} // namespace redrive
