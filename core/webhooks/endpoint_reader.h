// An endpoint as an event's payload gives it. Pure; any thread.
#pragma once

#include "core/base/json_slice.h"
#include "core/base/result.h"
#include "core/config/settings.h"

namespace redrive {

// What the object does not say stays as in `defaults`. The id must be there; the URL may be missing and is
// checked where it is not. Unknown keys are passed over. Errors begin with `where` (endpoints[2]).
Result<EndpointSettings> readEndpoint(const JsonSlice& object, const QString& where,
                                      EndpointSettings defaults = {});

} // namespace redrive
