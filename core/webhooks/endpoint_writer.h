// An endpoint's settings as JSON, with the keys of the configuration; readEndpoint() reads it back. Pure; any
// thread.
#pragma once

#include "core/config/settings.h"

namespace redrive {

QByteArray writeEndpoint(const EndpointSettings& settings);

} // namespace redrive
