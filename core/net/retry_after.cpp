#include "core/net/retry_after.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>

namespace redrive {

namespace {

bool isDigits(const QByteArray& text)
{
    return !text.isEmpty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<qint64> httpDateMs(const QString& text, qint64 nowMs)
{
    const QLocale english = QLocale::c();
    const auto read = [&](const char* format) {
        QDateTime time = english.toDateTime(text, QString::fromLatin1(format));
        time.setTimeSpec(Qt::UTC);
        return time;
    };
    if (const QDateTime time = read("ddd, dd MMM yyyy HH:mm:ss 'GMT'"); time.isValid())
        return time.toMSecsSinceEpoch();
    if (const QDateTime time = read("ddd MMM d HH:mm:ss yyyy"); time.isValid())
        return time.toMSecsSinceEpoch();
    // Two digits of a year are of the century that puts the date at most 50 years ahead.
    if (QDateTime time = read("dddd, dd-MMM-yy HH:mm:ss 'GMT'"); time.isValid()) {
        const QDateTime limit = QDateTime::fromMSecsSinceEpoch(nowMs, Qt::UTC).addYears(50);
        while (time.addYears(100) <= limit)
            time = time.addYears(100);
        return time.toMSecsSinceEpoch();
    }
    return std::nullopt;
}

} // namespace

std::optional<qint64> retryAfterMs(const QByteArray& value, qint64 nowMs)
{
    const QByteArray text = value.trimmed();
    if (isDigits(text)) {
        bool fits = false;
        const qint64 seconds = text.toLongLong(&fits);
        return !fits || seconds > kRetryAfterCapMs / 1000 ? kRetryAfterCapMs : seconds * 1000;
    }
    const auto until = httpDateMs(QString::fromLatin1(text).simplified(), nowMs);
    if (!until)
        return std::nullopt;
    return std::clamp<qint64>(*until - nowMs, 0, kRetryAfterCapMs);
}

} // namespace redrive
