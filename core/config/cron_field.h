// One field of a cron expression as a set of values. Pure; any thread.
#pragma once

#include "core/base/result.h"

#include <QStringList>

namespace redrive {

struct CronFieldKind
{
    QString name; // for messages
    int min;
    int max;
    QStringList names; // of min, min + 1, … (three letters, any case); may be empty
};

const CronFieldKind& cronMinutes();
const CronFieldKind& cronHours();
const CronFieldKind& cronDaysOfMonth();
const CronFieldKind& cronMonths();
const CronFieldKind& cronWeekdays(); // 1–7, 1 is Sunday

// A number or a name of the field. InvalidInput with the reason.
Result<int> parseCronValue(const CronFieldKind& kind, const QString& text);

// The values of one list item (`*`, `5`, `1-5`, `50-10`, `*/5`, `5/15`, `1-5/2`) as bits: bit n stands for
// value n. A range whose end is before its start goes on at the field's first value.
Result<quint64> parseCronItem(const CronFieldKind& kind, const QString& text);

// A whole comma-separated field.
Result<quint64> parseCronField(const CronFieldKind& kind, const QString& text);

} // namespace redrive
