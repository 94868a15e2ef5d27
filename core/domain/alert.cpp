#include "core/domain/alert.h"

#include "core/base/result.h"

#include <array>

namespace redrive {

namespace {

struct Name
{
    AlertKind kind;
    QLatin1StringView text;
};

constexpr std::array<Name, 5> kNames{{{AlertKind::DeadLetters, QLatin1StringView("dead_letters")},
                                      {AlertKind::EndpointDisabled, QLatin1StringView("endpoint_disabled")},
                                      {AlertKind::BreakerOpen, QLatin1StringView("breaker_open")},
                                      {AlertKind::BreakerClosed, QLatin1StringView("breaker_closed")},
                                      {AlertKind::RedriveFinished, QLatin1StringView("redrive_finished")}}};

} // namespace

QString toText(AlertKind kind)
{
    return kNames[std::size_t(kind)].text;
}

AlertKind alertKindFrom(QStringView text)
{
    for (const Name& name : kNames)
        if (text == name.text)
            return name.kind;
    return AlertKind::DeadLetters;
}

bool isPosted(AlertKind kind)
{
    return kind != AlertKind::BreakerClosed && kind != AlertKind::RedriveFinished;
}

QString alertSummary(const Alert& alert)
{
    switch (alert.kind) {
    case AlertKind::DeadLetters:
        return u"%1 %2dead letter%3: %4"_s.arg(QString::number(alert.count),
                                               alert.isDigest ? u"more "_s : QString(),
                                               alert.count == 1 ? QString() : u"s"_s, alert.title);
    case AlertKind::EndpointDisabled:
        return u"Endpoint disabled: %1"_s.arg(alert.title);
    case AlertKind::BreakerOpen:
        return u"Circuit breaker open: %1"_s.arg(alert.title);
    case AlertKind::BreakerClosed:
        return u"Circuit breaker closed again: %1"_s.arg(alert.title);
    case AlertKind::RedriveFinished:
        break;
    }
    return u"Redrive finished: %1"_s.arg(alert.title);
}

} // namespace redrive
