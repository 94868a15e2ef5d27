// The console with its window: `redrive` and `redrive view`. The window thread.
#pragma once

#include "app/command_line/invocation.h"

namespace redrive {

// Makes the QApplication; returns the exit code.
int runConsole(int argc, char** argv, const Invocation& invocation);

} // namespace redrive
