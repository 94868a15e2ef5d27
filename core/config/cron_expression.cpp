#include "core/config/cron_expression.h"

#include "core/config/cron_field.h"
#include "core/config/quoted.h"

#include <QRegularExpression>

#include <chrono>

namespace redrive {

namespace {

constexpr qint64 minuteMs = 60'000;
constexpr qint64 dayMs = 86'400'000;
constexpr int minutesPerDay = 1'440;
constexpr qint64 earliestMs = -62'135'596'800'000; // year 1
constexpr qint64 latestMs = 253'402'300'799'999;   // end of year 9999
constexpr int searchDays = 36'525;                 // a hundred years

bool has(quint64 bits, int value)
{
    return (bits >> value & 1) != 0;
}

qint64 floorDiv(qint64 value, qint64 by)
{
    return value / by - (value % by < 0 ? 1 : 0);
}

// The Monday-to-Friday day of the same month that is nearest to `day`.
int nearestWorkday(int day, int lastDay, int weekdayOfDay)
{
    if (weekdayOfDay == 7)
        return day > 1 ? day - 1 : day + 2;
    if (weekdayOfDay == 1)
        return day < lastDay ? day + 1 : day - 2;
    return day;
}

} // namespace

Result<CronExpression> CronExpression::parse(const QString& text)
{
    const QStringList fields = text.simplified().split(u' ', Qt::SkipEmptyParts);
    if (fields.size() != 5) {
        return fail(
            ErrorKind::InvalidInput,
            u"%1 has %2 fields, a cron expression has five: minute, hour, day of month, month, weekday"_s
                .arg(quoted(text))
                .arg(fields.size()));
    }
    CronExpression cron;
    cron.m_text = fields.join(u' ');
    REDRIVE_ASSIGN(minutes, parseCronField(cronMinutes(), fields[0]));
    REDRIVE_ASSIGN(hours, parseCronField(cronHours(), fields[1]));
    REDRIVE_TRY(cron.parseDaysOfMonth(fields[2]));
    REDRIVE_ASSIGN(months, parseCronField(cronMonths(), fields[3]));
    REDRIVE_TRY(cron.parseWeekdays(fields[4]));
    cron.m_minutes = minutes;
    cron.m_hours = hours;
    cron.m_months = months;
    return cron;
}

Status CronExpression::parseDaysOfMonth(const QString& field)
{
    static const QRegularExpression fromEnd(u"^L(?:-(\\d{1,2}))?(W?)$"_s,
                                            QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression nearest(u"^(\\d{1,2})W$"_s, QRegularExpression::CaseInsensitiveOption);
    m_anyDay = field == u"*"_s;
    for (const QString& item : field.split(u',')) {
        if (const auto match = fromEnd.match(item); match.hasMatch()) {
            const int offset = match.captured(1).toInt();
            if (offset > 30 || (!match.captured(1).isEmpty() && offset == 0)) {
                return fail(
                    ErrorKind::InvalidInput,
                    u"day of month: %1 goes back too far or not at all, allowed are L-1 to L-30"_s.arg(
                        quoted(item)));
            }
            const auto kind =
                match.captured(2).isEmpty() ? DayRule::Kind::FromEnd : DayRule::Kind::NearestWorkdayFromEnd;
            m_dayRules.append({kind, offset});
        } else if (const auto workday = nearest.match(item); workday.hasMatch()) {
            REDRIVE_ASSIGN(day, parseCronValue(cronDaysOfMonth(), workday.captured(1)));
            m_dayRules.append({DayRule::Kind::NearestWorkday, day});
        } else {
            REDRIVE_ASSIGN(days, parseCronItem(cronDaysOfMonth(), item));
            m_days |= days;
        }
    }
    return {};
}

Status CronExpression::parseWeekdays(const QString& field)
{
    static const QRegularExpression last(u"^(\\d+|[A-Za-z]{3})L$"_s,
                                         QRegularExpression::CaseInsensitiveOption);
    m_anyWeekday = field == u"*"_s;
    for (const QString& item : field.split(u',')) {
        const auto hash = item.indexOf(u'#');
        if (item.compare(u"L"_s, Qt::CaseInsensitive) == 0) {
            m_weekdays |= quint64(1) << 7;
        } else if (hash >= 0) {
            REDRIVE_ASSIGN(weekday, parseCronValue(cronWeekdays(), item.left(hash)));
            const QString nth = item.mid(hash + 1);
            if (nth.size() != 1 || nth[0] < u'1' || nth[0] > u'5') {
                return fail(ErrorKind::InvalidInput,
                            u"weekday: %1 after # is not allowed, it must be 1 to 5"_s.arg(quoted(nth)));
            }
            m_weekdayRules.append({DayRule::Kind::NthWeekday, weekday, nth.toInt()});
        } else if (const auto match = last.match(item); match.hasMatch()) {
            REDRIVE_ASSIGN(weekday, parseCronValue(cronWeekdays(), match.captured(1)));
            m_weekdayRules.append({DayRule::Kind::LastWeekday, weekday});
        } else {
            REDRIVE_ASSIGN(weekdays, parseCronItem(cronWeekdays(), item));
            m_weekdays |= weekdays;
        }
    }
    return {};
}

bool CronExpression::matchesRule(const DayRule& rule, int day, int lastDay, int weekday)
{
    const auto weekdayOf = [&](int other) { return ((weekday - 1 + other - day) % 7 + 7) % 7 + 1; };
    const auto isNearest = [&](int target) {
        return target >= 1 && target <= lastDay && day == nearestWorkday(target, lastDay, weekdayOf(target));
    };
    switch (rule.kind) {
    case DayRule::Kind::FromEnd:
        return day == lastDay - rule.value;
    case DayRule::Kind::NearestWorkday:
        return isNearest(rule.value);
    case DayRule::Kind::NearestWorkdayFromEnd:
        return isNearest(lastDay - rule.value);
    case DayRule::Kind::NthWeekday:
        return weekday == rule.value && (day - 1) / 7 + 1 == rule.nth;
    case DayRule::Kind::LastWeekday:
        return weekday == rule.value && day + 7 > lastDay;
    }
    return false;
}

bool CronExpression::matchesDay(qint64 daysSinceEpoch) const
{
    using namespace std::chrono;
    const sys_days date{days{daysSinceEpoch}};
    const year_month_day ymd{date};
    if (!has(m_months, static_cast<int>(static_cast<unsigned>(ymd.month()))))
        return false;
    if (m_anyDay && m_anyWeekday)
        return true;

    const int day = static_cast<int>(static_cast<unsigned>(ymd.day()));
    const year_month_day_last end{ymd.year(), month_day_last{ymd.month()}};
    const int lastDay = static_cast<int>(static_cast<unsigned>(end.day()));
    const int weekdayNumber = static_cast<int>(weekday{date}.c_encoding()) + 1;
    const auto anyRule = [&](const QList<DayRule>& rules) {
        return std::any_of(rules.begin(), rules.end(), [&](const DayRule& rule) {
            return matchesRule(rule, day, lastDay, weekdayNumber);
        });
    };
    if (!m_anyDay && (has(m_days, day) || anyRule(m_dayRules)))
        return true;
    return !m_anyWeekday && (has(m_weekdays, weekdayNumber) || anyRule(m_weekdayRules));
}

// Minute of the day, or -1.
qint64 CronExpression::firstTimeOfDay(int fromMinute) const
{
    for (int minute = fromMinute; minute < minutesPerDay; ++minute) {
        if (!has(m_hours, minute / 60)) {
            minute = minute / 60 * 60 + 59;
            continue;
        }
        if (has(m_minutes, minute % 60))
            return minute;
    }
    return -1;
}

qint64 CronExpression::nextAfter(qint64 wallMs) const
{
    if (wallMs > latestMs)
        return -1;
    const qint64 startMs = (floorDiv(std::max(wallMs, earliestMs), minuteMs) + 1) * minuteMs;
    const qint64 firstDay = floorDiv(startMs, dayMs);
    int fromMinute = static_cast<int>((startMs - firstDay * dayMs) / minuteMs);
    for (qint64 day = firstDay; day < firstDay + searchDays; ++day, fromMinute = 0) {
        if (!matchesDay(day))
            continue;
        if (const qint64 minute = firstTimeOfDay(fromMinute); minute >= 0)
            return day * dayMs + minute * minuteMs;
    }
    return -1;
}

} // namespace redrive
