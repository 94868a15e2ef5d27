// How a program ended, in words with its own last ones. Pure; any thread.
#pragma once

#include "core/jobs/process_runner.h"

namespace redrive {

// "exit 1: …", "signal 9: …", "time limit of 30 s reached: …".
QString endWords(const ProcessOutcome& ended, qint64 timeLimitMs);

} // namespace redrive
