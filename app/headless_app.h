// `redrive serve`: the engine alone, until a signal. The main thread, with a QCoreApplication.
#pragma once

#include "app/command_line/invocation.h"

namespace redrive {

int runServe(const Invocation& invocation);

} // namespace redrive
