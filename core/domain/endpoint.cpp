#include "core/domain/endpoint.h"

#include "core/base/result.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace redrive {

QString toText(EndpointOrigin origin)
{
    switch (origin) {
    case EndpointOrigin::Configuration:
        return u"configuration"_s;
    case EndpointOrigin::Made:
        return u"made"_s;
    case EndpointOrigin::Payload:
        return u"payload"_s;
    }
    return {};
}

EndpointOrigin endpointOriginFrom(QStringView text)
{
    if (text == u"configuration")
        return EndpointOrigin::Configuration;
    return text == u"made" ? EndpointOrigin::Made : EndpointOrigin::Payload;
}

QString toText(DisabledCause cause)
{
    switch (cause) {
    case DisabledCause::Gone:
        return u"gone"_s;
    case DisabledCause::Operator:
        return u"operator"_s;
    case DisabledCause::Deleted:
        return u"deleted"_s;
    }
    return {};
}

DisabledCause disabledCauseFrom(QStringView text)
{
    if (text == u"operator")
        return DisabledCause::Operator;
    return text == u"deleted" ? DisabledCause::Deleted : DisabledCause::Gone;
}

QString toText(EndpointVerb verb)
{
    switch (verb) {
    case EndpointVerb::Create:
        return u"create"_s;
    case EndpointVerb::Edit:
        return u"edit"_s;
    case EndpointVerb::Pause:
        return u"pause"_s;
    case EndpointVerb::Resume:
        return u"resume"_s;
    case EndpointVerb::Disable:
        return u"disable"_s;
    case EndpointVerb::Enable:
        return u"enable"_s;
    case EndpointVerb::Delete:
        return u"delete"_s;
    case EndpointVerb::Rotate:
        return u"rotate"_s;
    case EndpointVerb::RevokeSecret:
        return u"revoke"_s;
    }
    return {};
}

qint64 EndpointFigures::answeredTotal() const
{
    return std::accumulate(answered.begin(), answered.end(), qint64(0));
}

std::optional<double> EndpointFigures::successRate() const
{
    return attempts > 0 ? std::optional(double(delivered) / double(attempts)) : std::nullopt;
}

std::optional<qint64> EndpointFigures::withinMs(double part) const
{
    const qint64 total = answeredTotal();
    if (total == 0)
        return std::nullopt;
    qint64 left = std::max<qint64>(1, qint64(std::ceil(part * double(total))));
    for (size_t i = 0; i < answered.size(); ++i) {
        left -= answered[i];
        if (left <= 0)
            return kLatencyEndsMs[i];
    }
    return kLatencyEndsMs.back();
}

void EndpointFigures::add(const EndpointFigures& other)
{
    attempts += other.attempts;
    delivered += other.delivered;
    for (size_t i = 0; i < answered.size(); ++i)
        answered[i] += other.answered[i];
}

void EndpointFigures::count(bool wasDelivered, std::optional<qint64> answeredUs)
{
    ++attempts;
    delivered += wasDelivered ? 1 : 0;
    if (!answeredUs)
        return;
    const auto end =
        std::lower_bound(kLatencyEndsMs.begin(), std::prev(kLatencyEndsMs.end()), (*answeredUs + 999) / 1000);
    ++answered[size_t(end - kLatencyEndsMs.begin())];
}

} // namespace redrive
