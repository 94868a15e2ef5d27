// A cron trigger as Cloudflare reads it: minute hour day-of-month month weekday, in UTC.
// Weekdays are 1–7 with 1 = Sunday, or SUN–SAT; months 1–12 or JAN–DEC. Lists, ranges (also over the end of
// the field: FRI-MON) and steps everywhere; day of month also `L`, `L-3`, `15W`, `LW`, `L-3W`; weekday also
// `L` (Saturday), `6L` (the month's last Friday), `SUN#2`. Where day of month and weekday both say something
// other than `*`, a day that matches either is enough. Pure; any thread.
#pragma once

#include "core/base/result.h"

#include <QList>

namespace redrive {

class CronExpression final
{
public:
    // InvalidInput: the message names the field and what it allows.
    static Result<CronExpression> parse(const QString& text);

    // The first full minute strictly later than `wallMs` that matches (unix ms, UTC), or -1 where no day of
    // the next hundred years does (30 February).
    qint64 nextAfter(qint64 wallMs) const;

    QString text() const { return m_text; }

private:
    struct DayRule
    {
        enum class Kind { FromEnd, NearestWorkday, NearestWorkdayFromEnd, NthWeekday, LastWeekday };
        Kind kind;
        int value = 0; // day of month, days before the last one, or weekday (1 = Sunday)
        int nth = 0;
    };

    Status parseDaysOfMonth(const QString& field);
    Status parseWeekdays(const QString& field);
    bool matchesDay(qint64 daysSinceEpoch) const;
    static bool matchesRule(const DayRule& rule, int day, int lastDay, int weekday);
    qint64 firstTimeOfDay(int fromMinute) const;

    QString m_text;
    quint64 m_minutes = 0;
    quint64 m_hours = 0;
    quint64 m_days = 0;
    quint64 m_months = 0;
    quint64 m_weekdays = 0;
    bool m_anyDay = false;
    bool m_anyWeekday = false;
    QList<DayRule> m_dayRules;
    QList<DayRule> m_weekdayRules;
};

} // namespace redrive
