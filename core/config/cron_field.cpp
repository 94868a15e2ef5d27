#include "core/config/cron_field.h"

#include "core/config/quoted.h"

namespace redrive {

namespace {

tl::unexpected<Error> refuse(const CronFieldKind& kind, const QString& what)
{
    return fail(ErrorKind::InvalidInput, kind.name + u": "_s + what);
}

QString allowedValues(const CronFieldKind& kind)
{
    const QString range = u"%1 to %2"_s.arg(kind.min).arg(kind.max);
    if (kind.names.isEmpty())
        return range;
    return u"%1 or %2 to %3"_s.arg(range, kind.names.first(), kind.names.last());
}

// Digits only: no sign, no blanks, short enough never to overflow.
bool parseDigits(const QString& text, int* value)
{
    if (text.isEmpty() || text.size() > 4)
        return false;
    *value = 0;
    for (const QChar c : text) {
        if (c < u'0' || c > u'9')
            return false;
        *value = *value * 10 + (c.unicode() - u'0');
    }
    return true;
}

Result<int> parseStep(const CronFieldKind& kind, const QString& text)
{
    const int largest = kind.max - kind.min;
    int step = 0;
    if (!parseDigits(text, &step) || step < 1 || step > largest)
        return refuse(kind,
                      u"the step %1 is not allowed, it must be 1 to %2"_s.arg(quoted(text)).arg(largest));
    return step;
}

} // namespace

const CronFieldKind& cronMinutes()
{
    static const CronFieldKind kind{u"minute"_s, 0, 59, {}};
    return kind;
}

const CronFieldKind& cronHours()
{
    static const CronFieldKind kind{u"hour"_s, 0, 23, {}};
    return kind;
}

const CronFieldKind& cronDaysOfMonth()
{
    static const CronFieldKind kind{u"day of month"_s, 1, 31, {}};
    return kind;
}

const CronFieldKind& cronMonths()
{
    static const CronFieldKind kind{u"month"_s,
                                    1,
                                    12,
                                    {u"JAN"_s, u"FEB"_s, u"MAR"_s, u"APR"_s, u"MAY"_s, u"JUN"_s, u"JUL"_s,
                                     u"AUG"_s, u"SEP"_s, u"OCT"_s, u"NOV"_s, u"DEC"_s}};
    return kind;
}

const CronFieldKind& cronWeekdays()
{
    static const CronFieldKind kind{
        u"weekday"_s, 1, 7, {u"SUN"_s, u"MON"_s, u"TUE"_s, u"WED"_s, u"THU"_s, u"FRI"_s, u"SAT"_s}};
    return kind;
}

Result<int> parseCronValue(const CronFieldKind& kind, const QString& text)
{
    int value = 0;
    if (parseDigits(text, &value)) {
        if (value == 0 && &kind == &cronWeekdays())
            return refuse(
                kind, u"0 is not allowed: weekdays are 1 to 7 and Sunday is 1 (or SUN), as on Cloudflare"_s);
        if (value < kind.min || value > kind.max)
            return refuse(kind, u"%1 is out of range, allowed are %2"_s.arg(text, allowedValues(kind)));
        return value;
    }
    const auto index = kind.names.indexOf(text.toUpper());
    if (index < 0)
        return refuse(kind, u"%1 is not a value, allowed are %2"_s.arg(quoted(text), allowedValues(kind)));
    return kind.min + static_cast<int>(index);
}

Result<quint64> parseCronItem(const CronFieldKind& kind, const QString& text)
{
    QString range = text;
    int step = 1;
    const auto slash = text.indexOf(u'/');
    if (slash >= 0) {
        range = text.left(slash);
        REDRIVE_ASSIGN(parsed, parseStep(kind, text.mid(slash + 1)));
        step = parsed;
    }

    int first = kind.min;
    int last = kind.max;
    if (range != u"*"_s) {
        const auto dash = range.indexOf(u'-');
        REDRIVE_ASSIGN(start, parseCronValue(kind, dash < 0 ? range : range.left(dash)));
        first = start;
        if (dash >= 0) {
            REDRIVE_ASSIGN(end, parseCronValue(kind, range.mid(dash + 1)));
            last = end;
        } else if (slash < 0) {
            last = first;
        }
    }

    const int size = kind.max - kind.min + 1;
    const int count = last >= first ? last - first + 1 : last - first + 1 + size;
    quint64 bits = 0;
    for (int offset = 0; offset < count; offset += step)
        bits |= quint64(1) << (kind.min + (first - kind.min + offset) % size);
    return bits;
}

Result<quint64> parseCronField(const CronFieldKind& kind, const QString& text)
{
    quint64 bits = 0;
    for (const QString& item : text.split(u',')) {
        REDRIVE_ASSIGN(values, parseCronItem(kind, item));
        bits |= values;
    }
    return bits;
}

} // namespace redrive
