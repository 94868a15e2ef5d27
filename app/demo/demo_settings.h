// The configuration that the demo runs: queues, job types and endpoints that succeed, wait, fail and die
// within seconds. Pure.
#pragma once

#include "core/config/settings.h"

#include <functional>

namespace redrive {

// `url`: where each of the demo's endpoints is.
Settings demoSettings(const std::function<QString(const QString&)>& url);

// The endpoints' ids: good, slow, flaky, dead.
const QStringList& demoEndpoints();

} // namespace redrive
