// An engine on this database, as the console shows it. Plain value; any thread. Times are unix milliseconds.
#pragma once

#include <QString>

#include <optional>

namespace redrive {

struct InstanceInfo
{
    qint64 no = 0;
    QString host;
    qint64 pid = 0;
    QString version;
    qint64 startedAtMs = 0;
    std::optional<qint64> endedAtMs;
    std::optional<qint64> leaseLeftMs; // of one that has not ended; 0: over, whoever is there takes its work
    qint64 jobsRunning = 0;
    qint64 deliveriesRunning = 0;
    bool own = false; // the engine of this process
};

} // namespace redrive
