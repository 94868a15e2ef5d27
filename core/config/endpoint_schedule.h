// Schedules of retries that have a name. Pure; any thread.
#pragma once

#include <QList>
#include <QString>

#include <optional>

namespace redrive {

// "standard": 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h, in ms. Source: Standard Webhooks 1.0,
// retry schedule.
std::optional<QList<qint64>> namedSchedule(QStringView name);

} // namespace redrive
