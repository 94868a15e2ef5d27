#include "core/store/row_values.h"

#include <QDateTime>

#include <algorithm>

namespace redrive {

namespace {

constexpr qint64 kMaxSeconds = 253'402'300'799; // the end of year 9999

qint64 userTimeMs(const QString& text)
{
    bool isNumber = false;
    const double seconds = text.toDouble(&isNumber);
    if (isNumber)
        return qint64(std::clamp(seconds, 0.0, double(kMaxSeconds)) * 1'000);
    QString iso = text;
    QDateTime time = QDateTime::fromString(iso.replace(u' ', u'T'), Qt::ISODateWithMs);
    if (time.timeSpec() == Qt::LocalTime)
        time.setTimeSpec(Qt::UTC);
    return time.isValid() ? time.toMSecsSinceEpoch() : 0;
}

} // namespace

int countOf(const Query& row, int column)
{
    return int(std::clamp<qint64>(row.int64(column), 0, kMostCounted));
}

qint64 rowTimeMs(const Query& row, int msColumn, int userColumn)
{
    const std::optional<qint64> ms = row.optInt64(msColumn);
    const qint64 users = row.isNull(userColumn) ? 0 : userTimeMs(row.text(userColumn));
    // A program of the user's that changed the row later knows only its own column.
    return ms && users < *ms + 1'000 ? *ms : users;
}

} // namespace redrive
