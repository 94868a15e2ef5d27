// A row of any list, and what all rows have in common. Plain values; window thread.
#pragma once

#include "core/domain/list.h"

#include <variant>

namespace redrive {

using RowValue = std::variant<JobRow, TimerRow, LetterRow, DeliveryRow, ActivityRow, TelemetryRow>;

inline const QString& rowId(const JobRow& row)
{
    return row.id;
}
inline const QString& rowId(const TimerRow& row)
{
    return row.id;
}
inline const QString& rowId(const LetterRow& row)
{
    return row.subjectId;
}
inline const QString& rowId(const DeliveryRow& row)
{
    return row.id;
}
inline const QString& rowId(const ActivityRow& row)
{
    return row.id;
}
inline const QString& rowId(const TelemetryRow& row)
{
    return row.id;
}
inline const QString& rowId(const RowValue& row)
{
    return std::visit([](const auto& value) -> const QString& { return rowId(value); }, row);
}
inline qint64 rowKey(const RowValue& row)
{
    return std::visit([](const auto& value) { return value.key; }, row);
}

} // namespace redrive
