// An endpoint's settings as JSON, with the keys of the configuration; readEndpoint() reads it back. Pure; any
// thread.
#pragma once

#include "core/config/settings.h"

namespace redrive {

QByteArray writeEndpoint(const EndpointSettings& settings);

// What stands in the place of a header's value that is not shown. In an edit it keeps the value.
inline constexpr QLatin1String kMasked("***");

// The same settings for people: values of headers that may be secrets are masked. Unreadable ones are {}.
QByteArray maskedEndpoint(const QByteArray& json);

} // namespace redrive
