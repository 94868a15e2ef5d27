#include "ui/models/format.h"

#include "core/base/result.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <QTimeZone>

#include <cmath>

namespace redrive::format {

namespace {

constexpr qint64 kSecond = 1000;
constexpr qint64 kMinute = 60 * kSecond;
constexpr qint64 kHour = 60 * kMinute;
constexpr qint64 kDay = 24 * kHour;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(format)
};

QString grouped(QString digits)
{
    for (qsizetype at = digits.size() - 3; at > 0; at -= 3)
        digits.insert(at, QChar(kNarrowSpace));
    return digits;
}

QString withUnit(qint64 value, const QString& unit)
{
    return number(value) + u' ' + unit;
}

QDateTime inZone(qint64 utcMs, Zone zone)
{
    const auto utc = QDateTime::fromMSecsSinceEpoch(utcMs, Qt::UTC);
    return zone == Zone::Utc ? utc : utc.toLocalTime();
}

QString two(qint64 value)
{
    return QString::number(value).rightJustified(2, u'0');
}

} // namespace

QString unknown()
{
    return QString(QChar(kEnDash));
}

int plural(qint64 count)
{
    return int(qMin<qint64>(count, 1'000'000));
}

QString number(qint64 value)
{
    const bool negative = value < 0;
    auto digits = QString::number(value);
    if (negative)
        digits.remove(0, 1);
    return (negative ? u"\u2212"_s : QString()) + grouped(digits);
}

QString number(double value, int decimals)
{
    if (!std::isfinite(value))
        return unknown();
    const auto text = QString::number(std::abs(value), 'f', decimals);
    const auto point = text.indexOf(u'.');
    auto result = grouped(point < 0 ? text : text.left(point));
    if (point >= 0)
        result += QLocale().decimalPoint() + text.mid(point + 1);
    return (value < 0 && text.toDouble() != 0.0 ? u"\u2212"_s : QString()) + result;
}

QString percent(double fraction, int decimals)
{
    return number(fraction * 100, decimals) + QChar(kNarrowSpace) + u'%';
}

QString bytes(qint64 count)
{
    return Words::tr("%1 byte(s)", "exact size", plural(count)).arg(number(count));
}

QString size(qint64 count)
{
    constexpr qint64 kibi = 1024;
    if (count < kibi)
        return bytes(count);
    const auto inUnit = [&](qint64 unit, const QString& name) {
        const auto value = double(count) / double(unit);
        return number(value, value < 10 ? 1 : 0) + u' ' + name;
    };
    if (count < kibi * kibi)
        return inUnit(kibi, Words::tr("KiB"));
    if (count < kibi * kibi * kibi)
        return inUnit(kibi * kibi, Words::tr("MiB"));
    return inUnit(kibi * kibi * kibi, Words::tr("GiB"));
}

QString age(qint64 ms)
{
    ms = qMax<qint64>(ms, 0);
    if (ms < kMinute)
        return withUnit(ms / kSecond, Words::tr("s", "seconds"));
    if (ms < kHour)
        return withUnit(ms / kMinute, Words::tr("min", "minutes"));
    if (ms < kDay)
        return withUnit(ms / kHour, Words::tr("h", "hours"));
    return withUnit(ms / kDay, Words::tr("d", "days"));
}

QString duration(qint64 ms)
{
    ms = qMax<qint64>(ms, 0);
    qint64 rest = 0;
    if (ms >= kDay)
        rest = ms % kDay / kHour * kHour;
    else if (ms >= kHour)
        rest = ms % kHour / kMinute * kMinute;
    else if (ms >= kMinute)
        rest = ms % kMinute / kSecond * kSecond;
    return rest > 0 ? age(ms - ms % (ms >= kDay    ? kDay
                                     : ms >= kHour ? kHour
                                                   : kMinute)) +
                          u' ' + age(rest)
                    : age(ms);
}

QString elapsed(qint64 ms)
{
    ms = qMax<qint64>(ms, 0);
    if (ms < kSecond)
        return withUnit(ms, Words::tr("ms", "milliseconds"));
    if (ms < kMinute)
        return number(double(ms) / double(kSecond), ms < 10 * kSecond ? 1 : 0) + u' ' +
               Words::tr("s", "seconds");
    return duration(ms);
}

QString countdown(qint64 ms)
{
    const qint64 seconds = (qMax<qint64>(ms, 0) + kSecond - 1) / kSecond;
    const qint64 days = seconds / 86'400;
    const qint64 hours = seconds % 86'400 / 3600;
    const qint64 minutes = seconds % 3600 / 60;
    const auto tail = two(minutes) + u':' + two(seconds % 60);
    if (days > 0)
        return withUnit(days, Words::tr("d", "days")) + u' ' + two(hours) + u':' + tail;
    if (hours > 0)
        return QString::number(hours) + u':' + tail;
    return QString::number(minutes) + u':' + two(seconds % 60);
}

QString clockTime(qint64 utcMs, Zone zone, qint64 nowUtcMs)
{
    if (utcMs <= 0)
        return unknown();
    const auto then = inZone(utcMs, zone);
    const auto now = inZone(nowUtcMs, zone);
    if (then.date() == now.date())
        return then.toString(u"HH:mm:ss");
    if (then.date().year() != now.date().year())
        return then.toString(u"yyyy-MM-dd HH:mm:ss");
    return QLocale().toString(then, u"d MMM HH:mm:ss");
}

QString fullTime(qint64 utcMs, Zone zone)
{
    if (utcMs <= 0)
        return unknown();
    return QLocale().toString(inZone(utcMs, zone), u"ddd d MMM yyyy, HH:mm:ss.zzz") + u' ' +
           zoneName(zone, utcMs);
}

QString zoneName(Zone zone, qint64 utcMs)
{
    return zone == Zone::Utc ? u"UTC"_s : inZone(utcMs, zone).timeZoneAbbreviation();
}

QString shortId(const QString& id)
{
    if (id.size() <= 16)
        return id;
    return id.left(8) + QChar(kEllipsis) + id.right(4);
}

QString firstLine(const QString& text)
{
    qsizetype end = 0;
    while (end < text.size() && end < 1000 && text[end] != u'\n' && text[end] != u'\r' &&
           text[end] != QChar::LineSeparator && text[end] != QChar::ParagraphSeparator)
        ++end;
    auto line = text.left(end);
    for (auto& c : line) {
        // Direction overrides would let outside text reorder the words around it.
        if (c.category() == QChar::Other_Control || (c >= u'\u202A' && c <= u'\u202E') ||
            (c >= u'\u2066' && c <= u'\u2069'))
            c = u' ';
    }
    while (!line.isEmpty() && line.back().isSpace())
        line.chop(1);
    return line;
}

QString plainToolTip(const QString& text)
{
    if (text.isEmpty())
        return {};
    auto safe = text.left(4000).toHtmlEscaped();
    safe.replace(u'\n', u"<br>"_s);
    return u"<p style=\"margin:0\">"_s + safe + u"</p>"_s;
}

} // namespace redrive::format
