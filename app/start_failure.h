// Why the program cannot start, and what the operator can do about it. Window thread.
#pragma once

#include "app/command_line/invocation.h"

namespace redrive {

// A store that is empty, damaged, foreign or newer: a dialog with what helps. True: start again. Every other
// error is shown to somebody who started from the desktop and sees no terminal.
bool askAfterStartFailure(const Error& error, const Invocation& invocation);

} // namespace redrive
