// What the process sets up before anything else runs in it. The main thread, before others exist.
#pragma once

#include <QStringList>

namespace redrive {

// Writing to a closed pipe or beyond a file-size limit is an error, not a death; core dumps hold no secrets;
// text is UTF-8 whatever the locale says.
void setUpProcess();

// What the shell gave, without the program's own name.
QStringList argumentsOf(int argc, char** argv);

// The name that folders and the log know the program by; needs a QCoreApplication.
void nameApplication();

// For a program some of whose threads cannot be joined: ends it at once, its output written.
[[noreturn]] void endWithoutTakingDown(int exitCode);

} // namespace redrive
