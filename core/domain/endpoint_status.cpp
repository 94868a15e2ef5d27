#include "core/domain/endpoint_status.h"

#include "core/base/result.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace redrive {

EndpointStatus statusOf(const EndpointRow& endpoint)
{
    if (endpoint.deletedAtMs)
        return EndpointStatus::Deleted;
    if (endpoint.disabledAtMs)
        return endpoint.disabledCause == DisabledCause::Gone ? EndpointStatus::Gone
                                                             : EndpointStatus::Disabled;
    if (endpoint.pausedAtMs || isPausedBySettings(endpoint))
        return EndpointStatus::Paused;
    if (endpoint.breakerUntilMs)
        return EndpointStatus::BreakerOpen;
    return endpoint.pausedUntilMs ? EndpointStatus::Waiting : EndpointStatus::Enabled;
}

QString toText(EndpointStatus status)
{
    switch (status) {
    case EndpointStatus::Enabled:
        return u"enabled"_s;
    case EndpointStatus::Waiting:
        return u"asked to wait"_s;
    case EndpointStatus::BreakerOpen:
        return u"breaker open"_s;
    case EndpointStatus::Paused:
        return u"paused"_s;
    case EndpointStatus::Disabled:
        return u"disabled"_s;
    case EndpointStatus::Gone:
        return u"gone"_s;
    case EndpointStatus::Deleted:
        return u"deleted"_s;
    }
    return {};
}

QStringList endpointStatuses()
{
    QStringList words;
    for (const auto status :
         {EndpointStatus::Enabled, EndpointStatus::Waiting, EndpointStatus::BreakerOpen,
          EndpointStatus::Paused, EndpointStatus::Disabled, EndpointStatus::Gone, EndpointStatus::Deleted})
        words.append(toText(status));
    return words;
}

bool isPausedBySettings(const EndpointRow& endpoint)
{
    return QJsonDocument::fromJson(endpoint.settings).object()[u"paused"].toBool();
}

} // namespace redrive
