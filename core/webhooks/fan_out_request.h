// The payload of a fan-out job, read and checked. Pure; any thread.
#pragma once

#include "core/webhooks/endpoint_registry.h"

#include <QByteArrayView>

#include <optional>
#include <vector>

namespace redrive {

struct FanOutTarget
{
    QString endpointId;
    QString url;
    std::optional<QByteArray> settings; // as the payload gave it; nothing: those of the configuration
    qsizetype scheduleLength = 0;       // retries its own schedule grants; 0: it has none
    QString heldReason;                 // empty: goes out
};

struct FanOutRequest
{
    QString eventType;
    QByteArrayView eventTypeText; // exact slices of the payload, which must outlive them
    QByteArrayView dataText;      // "null" where there is no data
    std::vector<FanOutTarget> targets;
    int notSubscribed = 0; // endpoints whose filter does not want the event
};

// The error says why the payload is refused.
Result<FanOutRequest> readFanOut(const QByteArray& payload, const EndpointRegistry& registry);

// {"event":…,"data":…,"timestamp":…}
QByteArray eventBody(const FanOutRequest& request, qint64 timestampMs);

} // namespace redrive
