// From a program's name in the configuration to the file that will be run. Any thread.
#pragma once

#include "core/base/result.h"

namespace redrive {

// An absolute path, or a bare name that is looked for in PATH (its absolute folders only: never in the
// working folder). The path found is absolute and names an executable regular file; links in it are kept.
// Call once at start, and show the result.
Result<QString> lookUpProgram(const QString& name);

} // namespace redrive
