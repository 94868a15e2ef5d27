#include "core/config/endpoint_schedule.h"

namespace redrive {

std::optional<QList<qint64>> namedSchedule(QStringView name)
{
    constexpr qint64 minute = 60'000;
    constexpr qint64 hour = 60 * minute;
    if (name != u"standard")
        return std::nullopt;
    return QList<qint64>{5'000,     5 * minute, 30 * minute, 2 * hour, 5 * hour,
                         10 * hour, 14 * hour,  20 * hour,   24 * hour};
}

} // namespace redrive
