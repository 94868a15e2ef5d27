// Durations as people write them. Any thread.
#pragma once

#include <QStringView>

#include <optional>

namespace redrive {

// "90s", "5m", "2h", "7d", fractions too: in milliseconds. Nothing: it is none, or longer than 30,000 years.
std::optional<qint64> durationMs(QStringView text);

} // namespace redrive
