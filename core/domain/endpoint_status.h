// Whether anything goes to an endpoint, in one word. Pure; any thread.
#pragma once

#include "core/domain/endpoint.h"

#include <QStringList>

namespace redrive {

enum class EndpointStatus { Enabled, Waiting, BreakerOpen, Paused, Disabled, Gone, Deleted };

EndpointStatus statusOf(const EndpointRow& endpoint);
QString toText(EndpointStatus status); // enabled, asked to wait, breaker open, paused, …
QStringList endpointStatuses();        // all of these words

// Its settings, not an operator, say that nothing goes out.
bool isPausedBySettings(const EndpointRow& endpoint);

} // namespace redrive
