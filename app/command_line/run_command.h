// From words to an exit code. The main thread.
#pragma once

#include "app/command_line/invocation.h"

namespace redrive {

// Answers --help, --version and words that are not understood, before any Qt application exists. Nothing:
// there is a command to run, or a console to open.
std::optional<int> answerAtOnce(const Result<Invocation>& invocation);

// Every command without a window but serve. Needs a QCoreApplication.
int runCommand(const Invocation& invocation);

} // namespace redrive
