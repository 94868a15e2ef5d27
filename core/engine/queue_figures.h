// Adds to counts of the store what this engine did and does for each queue. Any thread.
#pragma once

#include "core/domain/overview.h"
#include "core/engine/rates.h"
#include "core/feed/queue_counters.h"

#include <QHash>

#include <map>

namespace redrive {

class QueueFigures final
{
public:
    void addTo(StoreCounts& counts, const QueueCounters& counters, qint64 steadyMs);

private:
    struct Rates
    {
        Rate done;
        Rate failed;
    };
    std::mutex m_mutex; // guards m_rates
    std::map<QString, Rates> m_rates;
};

} // namespace redrive
