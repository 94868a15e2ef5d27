// Memory of this process that is in RAM. Any thread.
#pragma once

#include <QFile>

#include <unistd.h>

namespace redrive::test {

inline double residentMib()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    return double(file.readAll().split(' ').value(1).toLongLong()) * double(sysconf(_SC_PAGESIZE)) /
           1'048'576;
}

// Sanitizers keep what is freed: figures say nothing under them.
constexpr bool memoryCanBeMeasured()
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return false;
#else
    return true;
#endif
}

} // namespace redrive::test
